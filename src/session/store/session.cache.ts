import { Injectable } from '@nestjs/common';
import { CacheFactory, ReadThroughCache } from '../../platform/cache';
import { DatabaseClock, Transactions } from '../../platform/database';
import { MaybePromise } from '../../platform/util';
import { CachedSession, cachedSession, SessionToCache } from './cached-session';
import { KnownVersionsService } from './known-versions.service';
import { SessionRepository } from './session.repository';
import { SharedSessionStore } from './shared-session.store';

/** Sessions for requests: from memory for a second, then from the shared cache, then from the database. */
@Injectable()
export class SessionCache {
  private readonly cache: ReadThroughCache<CachedSession>;

  constructor(
    caches: CacheFactory,
    private readonly transactions: Transactions,
    private readonly sessions: SessionRepository,
    private readonly shared: SharedSessionStore,
    private readonly versions: KnownVersionsService,
    private readonly clock: DatabaseClock,
  ) {
    this.cache = caches.create<CachedSession>('session', { shared });
  }

  get(id: string): MaybePromise<CachedSession | undefined> {
    return this.cache.get(id, () => this.load(id));
  }

  /** Reads the session from the database, for a token whose counter is ahead of the cached one. */
  reload(id: string): Promise<CachedSession | undefined> {
    return this.cache.reload(id, () => this.load(id));
  }

  /** Call in the transaction that opens the session or authenticates in it. */
  opened(session: SessionToCache): Promise<void> {
    return this.transactions.afterCommit(() => this.shared.write(cachedSession(session)));
  }

  /**
   * Call after the counter has moved on. Other instances keep what they have in memory, because a token with a newer
   * counter makes them reload; the announcement is for entries of the shared cache.
   */
  async rotated(session: SessionToCache): Promise<void> {
    this.cache.invalidateLocal(session.id);
    const cached = cachedSession(session);
    await Promise.all([this.shared.write(cached), this.versions.announce(cached)]);
  }

  /** Call in the transaction of a reauthentication in the session. */
  async confirmed(session: SessionToCache): Promise<void> {
    await this.cache.invalidate(session.id);
    await this.opened(session);
  }

  /** Call in the transaction that ends the sessions. */
  async ended(ids: readonly string[]): Promise<void> {
    await this.cache.invalidate(ids);
    await this.transactions.afterCommit(() => this.shared.writeEnds(ids));
  }

  private async load(id: string): Promise<CachedSession | undefined> {
    const session = await this.sessions.find(id);
    if (!session) return undefined;
    this.clock.observe(session.now);
    return cachedSession(session);
  }
}
