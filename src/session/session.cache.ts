import { Injectable } from '@nestjs/common';
import { CacheFactory, ReadThroughCache } from '../platform/cache';
import { DatabaseClock, Transactions } from '../platform/database';
import { MaybePromise } from '../platform/maybe-promise';
import { CachedSession, cachedSession, SessionToCache } from './cached-session';
import { SessionRepository } from './session.repository';
import { SharedSessionStore } from './shared-session.store';

/** Sessions as requests need them: from memory for a second, then from the cache of all instances, then from the database. */
@Injectable()
export class SessionCache {
  private readonly cache: ReadThroughCache<CachedSession>;

  constructor(
    caches: CacheFactory,
    private readonly transactions: Transactions,
    private readonly sessions: SessionRepository,
    private readonly shared: SharedSessionStore,
    private readonly clock: DatabaseClock,
  ) {
    this.cache = caches.create<CachedSession>('session', { shared });
  }

  get(id: string): MaybePromise<CachedSession | undefined> {
    return this.cache.get(id, () => this.load(id));
  }

  /** The session as the database has it now, for a token whose counter is ahead of what is cached. */
  reload(id: string): Promise<CachedSession | undefined> {
    return this.cache.reload(id, () => this.load(id));
  }

  /** To be called in the transaction that opens the session, or that proves an identity in it. */
  opened(session: SessionToCache): Promise<void> {
    return this.transactions.afterCommit(() => this.shared.write(cachedSession(session)));
  }

  /** The session's counter has moved on. Others need no message: a token whose counter is ahead makes them look. */
  rotated(session: SessionToCache): Promise<void> {
    this.cache.invalidateLocal(session.id);
    return this.shared.write(cachedSession(session));
  }

  /** To be called in the transaction that proves an identity in the session. */
  async confirmed(session: SessionToCache): Promise<void> {
    await this.cache.invalidate(session.id);
    await this.opened(session);
  }

  /** To be called in the transaction that ends the sessions. */
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
