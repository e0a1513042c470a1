import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditDigest, AuditDigestRepository } from '../log/audit-digest.repository';
import { AuditPosition, AuditPositionRepository } from '../log/audit-position.repository';
import { auditRetentionDays } from '../log/audit.settings';
import { FIRST_ID, sha256 } from '../../platform/crypto';
import { StartupTasks, Transactions } from '../../platform/database';
import { SettingsReader } from '../../platform/settings';
import { AuditChainKeysService } from './audit-chain-keys.service';
import { AuditRootRepository, SignedRoot } from './audit-root.repository';
import { RootClaims, unverifiedClaims } from './root-claims';
import { encodeEntries } from './root-entries';
import { SignedRetentionService } from './signed-retention.service';

/** Events of a root. Bounds the memory; a busy minute has several roots. */
const MAX_EVENTS = 10_000;

type Place = Pick<RootClaims, 'number' | 'previous' | 'from'>;
type Link = Place & Required<Pick<RootClaims, 'retention_days'>>;
type DropClaims = Pick<RootClaims, 'dropped' | 'dropped_before'>;

/**
 * Extends the chain over the audit log: each root covers the next events in the order of the feed, and names the root
 * before it. One instance at a time adds a root, and only over events whose order no longer changes.
 */
@Injectable()
export class AuditChainService implements OnModuleInit {
  constructor(
    private readonly digests: AuditDigestRepository,
    private readonly positions: AuditPositionRepository,
    private readonly roots: AuditRootRepository,
    private readonly keys: AuditChainKeysService,
    private readonly retention: SignedRetentionService,
    private readonly settings: SettingsReader,
    private readonly transactions: Transactions,
    private readonly startup: StartupTasks,
  ) {}

  onModuleInit(): void {
    // Before the tasks that write the first events.
    this.startup.add({ name: 'first root of the audit chain', stage: 'partitions', run: () => this.begin() });
  }

  /** Covers all settled events. */
  async extend(): Promise<void> {
    while (await this.transactions.run(() => this.addNext()));
  }

  /** The place up to which the chain reaches; undefined without a root. */
  async end(): Promise<AuditPosition | undefined> {
    const last = await this.roots.newest();
    return last && unverifiedClaims(last.token).to;
  }

  /** The retention in force. It begins with the setting as it is before the first root. */
  async retentionDays(): Promise<number> {
    return (await this.retention.days()) ?? this.settings.get(auditRetentionDays);
  }

  /** Keeps others from extending the chain until the transaction ends. */
  lock(): Promise<void> {
    return this.roots.lock();
  }

  /** Signs what the transaction drops. It holds the lock. */
  async addDrop(months: readonly string[], retentionDays: number): Promise<void> {
    const dropped = { months, retention_days: retentionDays, at: (await this.roots.now()).getTime() };
    await this.add(await this.nextLink(), [], { dropped });
  }

  /** Signs a new retention. Call it only where the service changes the setting, in that transaction. */
  async addRetention(days: number): Promise<void> {
    await this.roots.lock();
    const link = await this.nextLink();
    if (link.retention_days !== days) await this.add({ ...link, retention_days: days }, []);
  }

  private async begin(): Promise<void> {
    const last = await this.roots.newest();
    if (last && !(await this.isOfFormer(last))) return;
    await this.transactions.run(async () => {
      await this.roots.lock();
      await this.nextLink();
    });
  }

  /** Returns whether there may be more events. */
  private async addNext(): Promise<boolean> {
    await this.roots.lock();
    const link = await this.nextLink();
    const events = await this.digests.findSettled(link.from, MAX_EVENTS);
    if (events.length === 0) return false;
    await this.add(link, events);
    return events.length === MAX_EVENTS;
  }

  /**
   * Adds a root without events as the first one, because events from before it are not in the chain, and after a root of a
   * former version: the new root says that no event before has an organization, and signs once what that version dropped.
   */
  private async nextLink(): Promise<Link> {
    const last = await this.roots.newest();
    const retention_days = await this.retentionDays();
    if (last && !(await this.isOfFormer(last))) return { ...placeAfter(last), retention_days };
    if (last) {
      const before = await this.digests.formerlyDroppedUpTo();
      const claims = before && { dropped_before: before.getTime() };
      const root = await this.add({ ...placeAfter(last), retention_days }, [], claims);
      return { ...placeAfter(root), retention_days };
    }
    const { position, id } = (await this.positions.newest()) ?? { position: '0', id: FIRST_ID };
    const root = await this.add({ number: 1, previous: null, from: { position, id }, retention_days }, []);
    return { ...placeAfter(root), retention_days };
  }

  /** A forged root is not one: what it leaves out must not be signed again. */
  private async isOfFormer({ number, token }: SignedRoot): Promise<boolean> {
    if (unverifiedClaims(token).retention_days !== undefined) return false;
    const verify = await this.keys.verifier();
    return verify(token)?.number === Number(number);
  }

  private async add(link: Link, events: readonly AuditDigest[], drop: DropClaims = {}): Promise<SignedRoot> {
    const entries = encodeEntries(events);
    const { position, id } = events.at(-1) ?? link.from;
    const lastAt = Math.max(0, ...events.map(({ at }) => at.getTime())) || Date.now();
    const token = await this.keys.sign({
      ...link,
      to: { position, id },
      events: events.length,
      last_at: lastAt,
      root: sha256(entries),
      has_organizations: true,
      ...drop,
    });
    const number = String(link.number);
    await this.roots.insert({ number, token, events: events.length, lastAt: new Date(lastAt), entries });
    return { number, token };
  }
}

function placeAfter({ token }: SignedRoot): Place {
  const { number, to } = unverifiedClaims(token);
  return { number: number + 1, previous: sha256(token), from: to };
}
