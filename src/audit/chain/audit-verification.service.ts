import { Injectable } from '@nestjs/common';
import { AuditDigestRepository } from '../log/audit-digest.repository';
import { sha256 } from '../../platform/crypto';
import { AuditChainKeysService, RootVerifier } from './audit-chain-keys.service';
import { AuditDropsService } from './audit-drops.service';
import { AuditEventsCheckService, SoundRoot } from './audit-events-check.service';
import { AuditRoot } from './audit-root.entity';
import { AuditRootRepository, RootRange } from './audit-root.repository';
import { ChainFindings, ChainReport } from './chain-report';
import { RootClaims, unverifiedClaims } from './root-claims';
import { decodeEntries, RootEntry } from './root-entries';
import { SignedDrops } from './signed-drops';

export interface VerificationQuery extends RootRange {
  /** Tokens of roots that were exported before, by number: they must be unchanged. */
  readonly known: ReadonlyMap<number, string>;
}

/** The state of a walk along the chain. */
interface Walk {
  readonly verify: RootVerifier;
  readonly known: Map<number, string>;
  readonly findings: ChainFindings;
  /** As of the roots that are checked. */
  drops: SignedDrops;
  /** Whether a root before says that events may have an organization. */
  knowsOrganizations: boolean;
  /** The retention by the genuine roots before. */
  retentionDays?: number | undefined;
  /** The number of the root before; 0 before the first. */
  number: number;
  /** The digest that the next root must name; undefined if it is unknown. */
  digest: string | null | undefined;
  first?: { readonly claims: RootClaims; readonly madeAt: Date };
  end?: RootClaims;
}

/** Events that are named, of those that should not be where they are. */
const MAX_MISPLACED = 1_000;
/** Missing roots that are named, of those between two that exist. */
const MAX_GAP = 1_000;
/** A week, with a root each minute. */
const MAX_BEFORE = 10_000;

/** Verifies the chain: signatures, links, and the events that the roots cover. */
@Injectable()
export class AuditVerificationService {
  constructor(
    private readonly roots: AuditRootRepository,
    private readonly keys: AuditChainKeysService,
    private readonly events: AuditEventsCheckService,
    private readonly drops: AuditDropsService,
    private readonly digests: AuditDigestRepository,
  ) {}

  /** The roots of the time, in order, as they are stored. */
  async *list(range: RootRange): AsyncGenerator<AuditRoot[]> {
    let batch = await this.roots.findAfter('0', range);
    while (batch.length > 0) {
      yield batch;
      batch = await this.roots.findAfter(batch.at(-1)?.number ?? '0', range);
    }
  }

  /** Reads the whole chain, or the roots that were made in the time. */
  async verify({ from, to, known }: VerificationQuery): Promise<ChainReport> {
    const walk = await this.begin(known);
    for await (const batch of this.list({ from, to })) {
      if (from && walk.findings.roots === 0) await this.skipTo(batch[0], walk);
      walk.drops = await this.drops.find();
      const sound = batch.flatMap((root) => check(root, walk));
      await this.events.compare(sound, walk.findings);
    }
    await this.checkDrops(walk.findings);
    return from || to ? walk.findings.report(null) : this.finish(walk);
  }

  private async begin(known: ReadonlyMap<number, string>): Promise<Walk> {
    return {
      verify: await this.keys.verifier(),
      known: new Map(known),
      findings: new ChainFindings(),
      drops: new SignedDrops([]),
      ...{ number: 0, digest: null, knowsOrganizations: false },
    };
  }

  /** Begins at a root whose predecessor is not read. */
  private async skipTo(root: AuditRoot | undefined, walk: Walk): Promise<void> {
    walk.number = Number(root?.number ?? 1) - 1;
    walk.digest = undefined;
    if (!root) return;
    const [previous] = await this.roots.before(root.number, 1);
    walk.retentionDays = previous && walk.verify(previous.token)?.retention_days;
    if (knowsOrganizations(root.token, walk)) return;
    // Instances of a former version add roots beside others during an update only.
    const before = await this.roots.before(root.number, MAX_BEFORE);
    walk.knowsOrganizations = before.some(({ token }) => knowsOrganizations(token, walk));
  }

  /** What retention should not have dropped, and what is left of what it dropped. */
  private async checkDrops(findings: ChainFindings): Promise<void> {
    const { months, former } = await this.drops.find();
    for (const { root, month, isEarly } of months) if (isEarly) findings.add({ kind: 'dropped_early', root, month });
    for (const event_id of await this.digests.findWithin(months, MAX_MISPLACED)) {
      findings.add({ kind: 'event_left', event_id });
    }
    if (former.length === 0) return;
    findings.unsignedDropsBefore = new Date(Math.max(...former.map(({ to }) => to))).toISOString();
  }

  /** Roots that were exported, but are no longer there, and events without a root. */
  private async finish(walk: Walk): Promise<ChainReport> {
    for (const root of walk.known.keys()) walk.findings.add({ kind: 'root_missing', root });
    return walk.findings.report(await this.findUnproven(walk));
  }

  private async findUnproven({ first, end, findings }: Walk): Promise<ChainReport['unproven']> {
    if (!first || !end) return null;
    const place = { ...first.claims.from, at: first.madeAt };
    for (const event_id of await this.digests.findMisplaced(place, MAX_MISPLACED)) {
      findings.add({ kind: 'event_added', event_id });
    }
    const { before } = await this.digests.countAround(first.claims.from);
    const { after } = await this.digests.countAround(end.to);
    return { before, after };
  }
}

/** The signature is verified only where the claim is there. */
const knowsOrganizations = (token: string, { verify }: Walk): boolean =>
  unverifiedClaims(token).has_organizations === true && verify(token)?.has_organizations === true;

/** The root, if it is as it was signed. */
function check(root: AuditRoot, walk: Walk): SoundRoot[] {
  const { findings } = walk;
  const number = Number(root.number);
  findings.roots++;
  findings.last = { number, made_at: root.madeAt.toISOString(), digest: sha256(root.token) };
  noteGap(number, walk);
  const claims = genuineClaims(root, number, walk);
  walk.number = number;
  // After a changed root the next one cannot be compared with it.
  walk.digest = claims && sha256(root.token);
  const entries = claims && entriesOf(root, claims, walk);
  if (!entries) {
    findings.add({ kind: 'root_changed', root: number });
    return [];
  }
  walk.first ??= { claims, madeAt: root.madeAt };
  walk.end = claims;
  noteRetention(claims, walk);
  const omitsOrganizations = claims.has_organizations !== true && walk.knowsOrganizations;
  walk.knowsOrganizations ||= claims.has_organizations === true;
  if (root.entries !== null) return [{ ...claims, entries, omitsOrganizations }];
  findings.dropped += claims.events;
  return [];
}

function noteRetention({ number: root, retention_days: to_days, last_at }: RootClaims, walk: Walk): void {
  if (to_days === undefined) return;
  const from_days = walk.retentionDays ?? to_days;
  if (to_days < from_days) walk.findings.addShorter({ root, at: new Date(last_at).toISOString(), from_days, to_days });
  walk.retentionDays = to_days;
}

/** The claims, if signature, number, link and an export from before agree. */
function genuineClaims({ token }: AuditRoot, number: number, walk: Walk): RootClaims | undefined {
  const isKept = isAsKnown(token, number, walk);
  const claims = walk.verify(token);
  return claims?.number === number && isLinked(claims, walk) && isKept ? claims : undefined;
}

function noteGap(number: number, walk: Walk): void {
  const end = Math.min(number, walk.number + 1 + MAX_GAP);
  for (let missing = walk.number + 1; missing < end; missing++) {
    walk.findings.add({ kind: 'root_missing', root: missing });
    walk.known.delete(missing);
    walk.digest = undefined;
  }
}

const isLinked = ({ previous }: RootClaims, { digest }: Walk): boolean => digest === undefined || previous === digest;

function isAsKnown(token: string, number: number, { known }: Walk): boolean {
  const before = known.get(number);
  known.delete(number);
  return before === undefined || before === token;
}

/** Empty after retention has dropped the events; undefined if they are not those that were signed. */
function entriesOf({ entries }: AuditRoot, claims: RootClaims, { drops }: Walk): RootEntry[] | undefined {
  if (entries === null) return drops.isDropped(claims.last_at, claims.number) ? [] : undefined;
  return sha256(entries) === claims.root ? decodeEntries(entries) : undefined;
}
