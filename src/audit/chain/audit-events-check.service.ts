import { Injectable } from '@nestjs/common';
import { AuditDigestRepository, ComparableAuditDigest } from '../log/audit-digest.repository';
import { AuditDropsService } from './audit-drops.service';
import { ChainFindings } from './chain-report';
import { RootClaims } from './root-claims';
import { RootEntry } from './root-entries';

/** A root whose signature and entries are genuine. */
export interface SoundRoot extends Pick<RootClaims, 'number' | 'from' | 'to'> {
  /** Whether its digests leave out organizations that its events may have. */
  readonly omitsOrganizations: boolean;
  readonly entries: readonly RootEntry[];
}

/** An entry, and the digest of the event that it is compared with. */
interface ExpectedEntry extends RootEntry {
  readonly by: 'digest' | 'formerDigest';
  /** The number of its root. */
  readonly root: number;
}

const PAGE = 2_000;

/** Both digests are the same for an event without an organization. */
function expectedOf({ number: root, entries, omitsOrganizations }: SoundRoot): [string, ExpectedEntry][] {
  const by = omitsOrganizations ? 'formerDigest' : 'digest';
  return entries.map((entry) => [entry.id, { ...entry, by, root }]);
}

/** Compares the events of the audit log with the entries of genuine roots. */
@Injectable()
export class AuditEventsCheckService {
  constructor(
    private readonly digests: AuditDigestRepository,
    private readonly drops: AuditDropsService,
  ) {}

  /** Notes each changed, missing or added event. */
  async compare(roots: readonly SoundRoot[], findings: ChainFindings): Promise<void> {
    for (const run of runsOf(roots)) await this.compareRun(run, findings);
  }

  private async compareRun(run: readonly SoundRoot[], findings: ChainFindings): Promise<void> {
    const expected = new Map(run.flatMap(expectedOf));
    for await (const event of this.events(run)) {
      const { id } = event;
      const entry = expected.get(id);
      expected.delete(id);
      if (!entry) findings.add({ kind: 'event_added', event_id: id });
      else if (!entry.digest.equals(event[entry.by])) findings.add({ kind: 'event_changed', event_id: id });
      else findings.proven++;
    }
    if (expected.size > 0) await this.noteMissing([...expected.values()], findings);
  }

  /** Reads the drops after the events: retention may have dropped some in between. */
  private async noteMissing(missing: readonly ExpectedEntry[], findings: ChainFindings): Promise<void> {
    const drops = await this.drops.find();
    for (const { id, at, root } of missing) {
      if (drops.isDropped(at, root)) findings.dropped++;
      else findings.add({ kind: 'event_missing', event_id: id });
    }
  }

  private async *events(run: readonly SoundRoot[]): AsyncGenerator<ComparableAuditDigest> {
    const [first, last] = [run[0], run.at(-1)];
    let after = first?.from;
    while (after && last) {
      const page: ComparableAuditDigest[] = await this.digests.findBetween(after, last.to, PAGE);
      yield* page;
      after = page.length === PAGE ? page.at(-1) : undefined;
    }
  }
}

/** Roots that follow each other directly. What is between others cannot be compared. */
function runsOf(roots: readonly SoundRoot[]): SoundRoot[][] {
  const runs: SoundRoot[][] = [];
  for (const root of roots) {
    const before = runs.at(-1);
    const end = before?.at(-1)?.to;
    if (end?.position === root.from.position && end.id === root.from.id) before?.push(root);
    else runs.push([root]);
  }
  return runs;
}
