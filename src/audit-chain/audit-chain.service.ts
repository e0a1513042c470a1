import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditDigest, AuditDigestRepository, AuditPosition, AuditPositionRepository } from '../audit';
import { FIRST_ID, sha256 } from '../platform/crypto';
import { StartupTasks, Transactions } from '../platform/database';
import { AuditChainKeysService } from './audit-chain-keys.service';
import { AuditRoot } from './audit-root.entity';
import { AuditRootRepository } from './audit-root.repository';
import { RootClaims, unverifiedClaims } from './root-claims';
import { encodeEntries } from './root-entries';

/** Events of a root. Bounds the memory; a busy minute has several roots. */
const MAX_EVENTS = 10_000;

type Link = Pick<RootClaims, 'number' | 'previous' | 'from'>;

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

  /**
   * Adds the first root, which covers no event: those from before it are not in the chain. Also adds such a root after one
   * of a version that did not know the organisation of an event: no event from before it has one.
   */
  private async begin(): Promise<void> {
    if (knowsOrganizations(await this.roots.newest())) return;
    const { position, id } = (await this.positions.newest()) ?? { position: '0', id: FIRST_ID };
    await this.transactions.run(async () => {
      await this.roots.lock();
      const last = await this.roots.newest();
      if (knowsOrganizations(last)) return;
      await this.add(last ? linkAfter(last) : { number: 1, previous: null, from: { position, id } }, []);
    });
  }

  /** Returns whether there may be more events. */
  private async addNext(): Promise<boolean> {
    await this.roots.lock();
    const last = await this.roots.newest();
    if (!last) return false;
    const link = linkAfter(last);
    const events = await this.digests.findSettled(link.from, MAX_EVENTS);
    if (events.length === 0) return false;
    await this.add(link, events);
    return events.length === MAX_EVENTS;
  }

  private async add(link: Link, events: readonly AuditDigest[]): Promise<void> {
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
    });
    const number = String(link.number);
    await this.roots.insert({ number, token, events: events.length, lastAt: new Date(lastAt), entries });
  }
}

function linkAfter({ token }: Pick<AuditRoot, 'token'>): Link {
  const { number, to } = unverifiedClaims(token);
  return { number: number + 1, previous: sha256(token), from: to };
}

const knowsOrganizations = (root: Pick<AuditRoot, 'token'> | undefined): boolean =>
  root !== undefined && unverifiedClaims(root.token).has_organizations === true;
