import { OnModuleInit } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Log } from '../logging';
import { withDeadline } from '../util';
import { CounterStep } from './counter-store';
import { Change, FallbackStore } from './fallback-store';
import { Invalidations, NoInvalidations } from './invalidations';
import { KeyValueCache } from './key-value-cache';
import type { MemoryCacheOptions } from './memory-cache';
import { RedisCache, RedisClient, RedisLink, RedisServers } from './redis';

/** Time limit of one operation before memory replaces Redis. */
const OPERATION_MS = 150;
const REPLAY_MS = 2_000;
/** Changes replayed per round; once at most this many are left, callers wait for them. */
const BATCH = 200;
/** TTL for decrementing a missing counter, which creates nothing but requires a TTL. */
const GONE_SECONDS = 1;
/**
 * Topics of the notifications: counters that an instance deleted, and counters that it deleted and restarted in one
 * step.
 */
const DROPPED = 'dropped_counters';
const RENEWED = 'renewed_counters';

export interface FailoverCacheOptions extends RedisServers {
  readonly prefix: string;
  readonly log: Log;
  readonly memory?: MemoryCacheOptions;
  /** Set when other instances use the same Redis. */
  readonly invalidations?: Invalidations | undefined;
}

interface Remote {
  readonly client: RedisClient;
  readonly cache: RedisCache;
}

/**
 * Redis, with memory while Redis is unreachable: callers see neither errors nor a disabled cache. On a loss, counters
 * that this process raised continue from their last sum. Values start empty, because another instance may have deleted
 * them. Changes made in memory are replayed to Redis before it is used again, so no lock is lost and no deleted key
 * returns. An operation whose outcome on Redis is unknown also runs in memory: a count may be one too high, a deleted
 * value stays deleted. A counter that another instance deleted is read again, if its notification arrives before the
 * loss. Until `onModuleInit`, memory serves.
 */
export class FailoverCache extends KeyValueCache implements OnModuleInit {
  private readonly link: RedisLink;
  private remote: Remote | undefined;
  private readonly fallback: FallbackStore;
  private readonly others: Invalidations;
  /** Settles when the last changes are replayed, or when their replay fails. */
  private switching: Promise<void> | undefined;
  private logged: 'redis' | 'memory' | undefined;

  constructor(private readonly options: FailoverCacheOptions) {
    super();
    this.fallback = new FallbackStore(options.memory);
    this.others = options.invalidations ?? new NoInvalidations();
    this.link = new RedisLink({
      servers: options,
      key: options.prefix,
      name: 'castellan-cache',
      onUp: (client) => this.onConnected(client),
      onDown: (error) => {
        this.failOver(error);
      },
    });
  }

  /** Connects in the background: an unreachable Redis does not delay the start. */
  onModuleInit(): void {
    // Skips counters that only other instances raise.
    this.subscribe(DROPPED, (key) => this.fallback.memory.hasCounter(key));
    this.subscribe(RENEWED, () => true);
    this.link.start();
  }

  get mode(): 'redis' | 'memory' {
    return this.remote ? 'redis' : 'memory';
  }

  override get isDegraded(): boolean {
    return this.mode === 'memory';
  }

  get<T>(key: string): Promise<T | undefined> {
    return this.run((cache) => cache.get<T>(key));
  }

  async set(key: string, value: unknown, ttlSeconds: number): Promise<void> {
    await this.run((cache) => cache.set(key, value, ttlSeconds), this.dropMirrored(key));
  }

  async delete(...keys: string[]): Promise<void> {
    const drop = this.dropMirrored(...keys);
    await this.run(
      (cache) => cache.delete(...keys),
      () => {
        drop();
        this.notifyOthers(DROPPED, keys);
      },
    );
  }

  setIfNewer(key: string, value: unknown, version: number, ttlSeconds: number): Promise<boolean> {
    return this.run((cache) => cache.setIfNewer(key, value, version, ttlSeconds), this.dropMirrored(key));
  }

  increment(key: string, ttlSeconds: number, by = 1): Promise<number> {
    return this.run(
      (cache) => cache.increment(key, ttlSeconds, by),
      (sum) => {
        this.fallback.memory.adoptCounter(key, sum, ttlSeconds);
      },
    );
  }

  override count(...steps: readonly CounterStep[]): Promise<number[]> {
    return this.run(
      (cache) => cache.count(...steps),
      (results) => {
        const { memory } = this.fallback;
        steps.forEach((step, place) => {
          if ('add' in step) memory.adoptCounter(step.to, results[place] ?? 0, step.ttlSeconds);
          else if ('drop' in step) void memory.delete(step.drop);
        });
        this.notifyDropped(steps);
      },
    );
  }

  ttl(key: string): Promise<number> {
    return this.run((cache) => cache.ttl(key));
  }

  override async close(): Promise<void> {
    this.link.close();
    this.remote = undefined;
  }

  /** @param mirror applies the result to the counters in memory. */
  private async run<T>(operation: (cache: KeyValueCache) => Promise<T>, mirror?: (result: T) => void): Promise<T> {
    // `onConnected` handles a failed switch; memory continues.
    while (this.switching) await this.switching.catch(() => undefined);
    const remote = this.remote;
    if (!remote) return operation(this.fallback);
    try {
      const result = await withDeadline(OPERATION_MS, operation(remote.cache));
      mirror?.(result);
      return result;
    } catch (error) {
      if (isMistake(error)) throw error;
      this.link.drop(remote.client, error);
      return this.run(operation, mirror);
    }
  }

  private dropMirrored(...keys: string[]): () => void {
    return () => void this.fallback.memory.delete(...keys);
  }

  private subscribe(what: string, concerns: (key: string) => boolean): void {
    this.others.subscribe(what, {
      invalidate: (keys) => {
        for (const key of keys) if (concerns(key)) void this.rereadCounter(key);
      },
      // Keep this process's counters after missed messages.
      invalidateAll: () => undefined,
    });
  }

  private notifyDropped(steps: readonly CounterStep[]): void {
    const dropped = steps.flatMap((step) => ('drop' in step ? [step.drop] : []));
    const added = new Set(steps.flatMap((step) => ('add' in step ? [step.to] : [])));
    this.notifyOthers(
      DROPPED,
      dropped.filter((key) => !added.has(key)),
    );
    this.notifyOthers(
      RENEWED,
      dropped.filter((key) => added.has(key)),
    );
  }

  /** Not awaited: delivery is not guaranteed. */
  private notifyOthers(what: string, keys: readonly string[]): void {
    if (keys.length > 0) void this.others.publish(what, keys);
  }

  /** Other instances continue the counter: read it from Redis, or drop it when Redis does not reply. */
  private async rereadCounter(key: string): Promise<void> {
    const { remote } = this;
    const { memory } = this.fallback;
    // Drop it first, so that increments from here on are kept.
    void memory.delete(key);
    const steps = [{ read: key }, { ttlOf: key }];
    const asked = remote && withDeadline(OPERATION_MS, remote.cache.count(...steps));
    const [sum = 0, seconds = 0] = (await asked?.catch(() => undefined)) ?? [];
    if (sum > 0 && seconds > 0 && this.remote === remote) memory.adoptCounter(key, sum, seconds);
  }

  private failOver(error: unknown): void {
    this.remote = undefined;
    if (this.logged === 'memory') return;
    this.logged = 'memory';
    this.options.log.warn('Redis is unreachable; memory replaces it', { err: error });
  }

  private async onConnected(client: RedisClient): Promise<void> {
    const cache = new RedisCache(client, this.options.prefix);
    await withDeadline(OPERATION_MS, cache.probe());
    if (this.fallback.hasLostChanges) await this.clearValues(cache);
    while (this.fallback.changeCount > BATCH) await this.replay(cache, REPLAY_MS);
    this.switching = this.switchTo({ client, cache });
    await this.switching;
  }

  /** For more changes than can be replayed one by one. Values may vanish at any time; counters, and so locks, stay. */
  private async clearValues(cache: RedisCache): Promise<void> {
    await cache.clearValues();
    this.fallback.replayAllCounters();
  }

  private async switchTo(remote: Remote): Promise<void> {
    try {
      // Lets operations in memory finish, so that the replay includes their changes. Later callers wait.
      await nextTurn();
      while (this.fallback.changeCount > 0) await this.replay(remote.cache, OPERATION_MS);
      // A loss from here on calls `failOver`. One before this line called it too early, while `remote` was not set.
      if (!this.link.holds(remote.client)) throw new Error('Redis was lost again while reconnecting');
      this.remote = remote;
      // Values are stale at the next loss; counters must continue, or each loss would lift earlier locks.
      this.fallback.memory.clearValues();
      this.logged = 'redis';
      this.options.log.info('Redis is in use');
    } finally {
      this.switching = undefined;
    }
  }

  private async replay(cache: RedisCache, deadlineMs: number): Promise<void> {
    const { fallback } = this;
    const changes = fallback.takeChanges(BATCH);
    try {
      // Sent in one write: Redis runs the commands in this order, and before any later command.
      await withDeadline(
        deadlineMs,
        Promise.all([...changes].flatMap(([key, change]) => this.replayChange(cache, key, change))),
      );
    } catch (error) {
      fallback.putBack(changes);
      throw error;
    }
  }

  private replayChange(cache: RedisCache, key: string, change: Change): Promise<unknown>[] {
    const { replaced, counted, isCounter, endedAtZero } = change;
    const now = this.fallback.memory.inspect(key);
    if (!now && replaced) return [cache.delete(key)];
    if (!now) return endedAtZero ? [cache.increment(key, GONE_SECONDS, counted)] : [];
    const { value, version, ttlSeconds } = now;
    if (isCounter) {
      const counter = { delta: counted, sum: Number(value), ttlSeconds };
      return [...(replaced ? [cache.delete(key)] : []), cache.mergeCounter(key, counter)];
    }
    if (version !== undefined) return [cache.setIfNewer(key, value, version, ttlSeconds)];
    return [cache.set(key, value, ttlSeconds)];
  }
}

/** Whether the caller caused the error, so that another store would fail as well. */
function isMistake(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}
