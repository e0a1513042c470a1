import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KeyValueCache, Loaded, MemoryCache, SharedLevel } from '../platform/cache';
import { Database, DatabaseClock } from '../platform/database';
import { Log } from '../platform/logging';
import { RecentRevocationsService, Revocations } from './recent-revocations.service';
import { endedEntry, ENTRY_SECONDS, parseSessionEntry } from './session-entry';
import { ENDED_VERSION, versionOf } from './session-version';
import type { CachedSession } from './cached-session';

/** An end outlives every entry that was read before it. */
const END_SECONDS = 2 * ENTRY_SECONDS;
const MAX_DISTRUSTED = 100_000;
/** So many ends are written at a time. */
const BATCH = 500;
const MISSING: Loaded<CachedSession> = { value: undefined };

const keyOf = (id: string): string => `session:${id}`;

/**
 * Sessions in the cache that instances share. A version never moves back, and an end is final. An entry is used for a minute
 * from when the database was read, never where the session has ended or changed since as far as this instance or the
 * database knows, and never where it is older than this instance.
 */
@Injectable()
export class SharedSessionStore implements SharedLevel<CachedSession> {
  /** Changed here or by another instance; until no entry of before can be left, only the database is asked. */
  private readonly distrusted = new LRUCache<string, true>({
    maxSize: MAX_DISTRUSTED,
    sizeCalculation: () => 1,
    ttl: END_SECONDS * 1_000,
  });

  constructor(
    private readonly cache: KeyValueCache,
    private readonly revocations: RecentRevocationsService,
    private readonly clock: DatabaseClock,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async find(id: string): Promise<Loaded<CachedSession>> {
    if (!this.isShared || this.distrusted.has(id)) return MISSING;
    const session = parseSessionEntry(id, await this.read(id));
    if (!session || session.readAt + ENTRY_SECONDS * 1_000 <= this.clock.now()) return MISSING;
    const revocations = await this.revocations.get();
    const isUsable = isNotEnded(session, revocations) && !this.distrusted.has(id);
    return isUsable ? { value: session, since: revocations.since } : MISSING;
  }

  /** Elsewhere than in a shared cache nothing would read it. */
  async store(_id: string, session: CachedSession): Promise<void> {
    if (this.isShared) await this.write(session);
  }

  invalidate(ids: readonly string[]): void {
    for (const id of ids) this.distrusted.set(id, true);
  }

  /** Writes a new state of the session, unless a newer one is there. */
  async write(session: CachedSession): Promise<void> {
    if (session.revoked) return this.writeEnds([session.id]);
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

  /** Memory in place of a shared cache knows nothing of other instances; only an embedded database has none. */
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

  /** The database has what the cache lacks: a failure of it is logged, not the caller's. */
  private async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.warn('The cache failed to keep or find a session', { err: error });
    }
  }
}

const isNotEnded = ({ id, readAt }: CachedSession, { ids, isIncomplete, firstAskedAt }: Revocations): boolean =>
  !isIncomplete && !ids.has(id) && readAt >= firstAskedAt;
