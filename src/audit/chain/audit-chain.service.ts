import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditDigestRepository, SettledAuditEvent } from '../log/audit-digest.repository';
import { AuditPosition, AuditPositionRepository } from '../log/audit-position.repository';
import { auditRetentionDays, MIN_RETENTION_DAYS } from '../log/audit.settings';
import { FIRST_ID, sha256 } from '../../platform/crypto';
import { StartupTasks, Transactions } from '../../platform/database';
import { SettingsReader } from '../../platform/settings';
import { AuditChainKeysService } from './audit-chain-keys.service';
import { AuditRoot } from './audit-root.entity';
import { AuditRootRepository } from './audit-root.repository';
import { RootClaims, unverifiedClaims } from './root-claims';
import { encodeEntries } from './root-entries';

/** Events of a root. Bounds the memory; a busy minute has several roots. */
const MAX_EVENTS = 10_000;

type Link = Pick<RootClaims, 'number' | 'previous' | 'from' | 'retention_days'>;
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

  /** The retention in force by the covered events. */
  async retentionDays(): Promise<number> {
    const last = await this.roots.newest();
    return (last && unverifiedClaims(last.token).retention_days) ?? this.settings.get(auditRetentionDays);
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

  private async begin(): Promise<void> {
    const last = await this.roots.newest();
    if (last && signsDrops(last)) return;
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
   * former version: the new root says that no event before has an organisation, and signs once what that version dropped.
   */
  private async nextLink(): Promise<Link> {
    const last = await this.roots.newest();
    if (last && signsDrops(last)) return linkAfter(last);
    const retention_days = await this.settings.get(auditRetentionDays);
    if (last) {
      const before = await this.digests.formerlyDroppedUpTo();
      const claims = before && { dropped_before: before.getTime() };
      return linkAfter(await this.add({ ...linkAfter(last), retention_days }, [], claims));
    }
    const { position, id } = (await this.positions.newest()) ?? { position: '0', id: FIRST_ID };
    return linkAfter(await this.add({ number: 1, previous: null, from: { position, id }, retention_days }, []));
  }

  private async add(link: Link, events: readonly SettledAuditEvent[], drop: DropClaims = {}): Promise<SignedRoot> {
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
      retention_days: events.map(retentionOf).findLast((days) => days !== undefined) ?? link.retention_days,
      ...drop,
    });
    const number = String(link.number);
    await this.roots.insert({ number, token, events: events.length, lastAt: new Date(lastAt), entries });
    return { token };
  }
}

type SignedRoot = Pick<AuditRoot, 'token'>;

function linkAfter({ token }: SignedRoot): Link {
  const { number, to, retention_days } = unverifiedClaims(token);
  return {
    number: number + 1,
    previous: sha256(token),
    from: to,
    ...(retention_days !== undefined && { retention_days }),
  };
}

const signsDrops = ({ token }: SignedRoot): boolean => unverifiedClaims(token).retention_days !== undefined;

function retentionOf({ retentionDays }: SettledAuditEvent): number | undefined {
  return typeof retentionDays === 'number' ? Math.max(retentionDays, MIN_RETENTION_DAYS) : undefined;
}
