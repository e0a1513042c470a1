import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KeyValueCache, Loaded, MemoryCache, SharedLevel } from '../../platform/cache';
import { Database, DatabaseClock } from '../../platform/database';
import { Log } from '../../platform/logging';
import { KnownVersionsService } from './known-versions.service';
import { RecentRevocationsService, Revocations } from './recent-revocations.service';
import { endedEntry, ENTRY_SECONDS, parseSessionEntry } from './session-entry';
import { ENDED_VERSION, versionOf } from './session-version';
import type { CachedSession } from './cached-session';

/** An end outlives every entry that was read before it. */
const END_SECONDS = 2 * ENTRY_SECONDS;
const MAX_CHANGED = 100_000;
/** Ends written in parallel. */
const BATCH = 500;
const MISSING: Loaded<CachedSession> = { value: undefined };

const keyOf = (id: string): string => `session:${id}`;

/**
 * Sessions in the cache that instances share. Versions never decrease, and an end is final. An entry is used for a
 * minute after its database read, unless this instance knows a later version, the database an end, or the entry is older
 * than this instance.
 */
@Injectable()
export class SharedSessionStore implements SharedLevel<CachedSession> {
  /** Changed here or in another instance. Read from the database until every earlier entry has expired. */
  private readonly changed = new LRUCache<string, true>({
    maxSize: MAX_CHANGED,
    sizeCalculation: () => 1,
    ttl: END_SECONDS * 1_000,
  });

  constructor(
    private readonly cache: KeyValueCache,
    private readonly revocations: RecentRevocationsService,
    private readonly versions: KnownVersionsService,
    private readonly clock: DatabaseClock,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async find(id: string): Promise<Loaded<CachedSession>> {
    if (!this.isShared || this.changed.has(id)) return MISSING;
    const session = parseSessionEntry(id, await this.read(id));
    if (!session || session.readAt + ENTRY_SECONDS * 1_000 <= this.clock.now()) return MISSING;
    const revocations = await this.revocations.get();
    if (!isNotEnded(session, revocations) || this.changed.has(id) || this.versions.isOutdated(session)) return MISSING;
    this.versions.note(session);
    return { value: session, since: revocations.since };
  }

  /** Without a shared cache no instance would read the entry. */
  async store(_id: string, session: CachedSession): Promise<void> {
    if (this.isShared) await this.write(session);
  }

  invalidate(ids: readonly string[]): void {
    for (const id of ids) this.changed.set(id, true);
  }

  /** Writes a new state of the session, unless a newer one is stored. */
  async write(session: CachedSession): Promise<void> {
    if (session.revoked) return this.writeEnds([session.id]);
    this.versions.note(session);
    await this.attempt(() => this.cache.setIfNewer(keyOf(session.id), session, versionOf(session), ENTRY_SECONDS));
  }

  async writeEnds(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += BATCH) {
      await Promise.all(ids.slice(from, from + BATCH).map((id) => this.writeEnd(id)));
    }
  }

  private writeEnd(id: string): Promise<void> {
    return this.attempt(() => this.cache.setIfNewer(keyOf(id), endedEntry(id), ENDED_VERSION, END_SECONDS));
  }

  /** Fallback memory misses changes of other instances. Only an embedded database has no other instances. */
  private get isShared(): boolean {
    if (this.cache instanceof MemoryCache) return this.database.isEmbedded;
    return !this.cache.isDegraded;
  }

  private async read(id: string): Promise<unknown> {
    let found: unknown;
    await this.attempt(async () => {
      found = await this.cache.get(keyOf(id));
    });
    return found;
  }

  /** Logs cache failures instead of throwing, because the database has the session. */
  private async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.warn('The session cache failed', { err: error });
    }
  }
}

const isNotEnded = ({ id, readAt }: CachedSession, { ids, isIncomplete, firstAskedAt }: Revocations): boolean =>
  !isIncomplete && !ids.has(id) && readAt >= firstAskedAt;
