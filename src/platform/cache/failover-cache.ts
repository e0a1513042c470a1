import { setImmediate as nextTurn } from 'node:timers/promises';
import { Log } from '../logging';
import { withDeadline } from '../time';
import { Invalidations, NoInvalidations } from './invalidations';
import { CounterStep, KeyValueCache } from './key-value-cache';
import type { MemoryCacheOptions } from './memory-cache';
import { RedisCache, RedisClient, RedisLink } from './redis';
import { Change, StandIn } from './stand-in';

/** What one operation may take before memory answers in its place. */
const OPERATION_MS = 150;
const CARRY_OVER_MS = 2_000;
/** So many changes are carried over at a time; when no more are left, callers wait for the last of them. */
const BATCH = 200;
/** Nothing is made by counting down what is gone; a TTL is asked for all the same. */
const GONE_SECONDS = 1;
/** By which instances tell each other which counters they dropped, and which of these began anew in the same step. */
const DROPPED = 'dropped_counters';
const RENEWED = 'renewed_counters';

export interface FailoverCacheOptions {
  readonly url: string;
  readonly prefix: string;
  readonly log: Log;
  readonly memory?: MemoryCacheOptions;
  /** Where other instances use the same Redis. */
  readonly invalidations?: Invalidations | undefined;
}

interface Remote {
  readonly client: RedisClient;
  readonly cache: RedisCache;
}

/**
 * Redis, and memory while Redis is away: never an error, never a cache that is off. Counters that this process raised go on
 * from where they were; values from before the loss are not there, because another instance may have taken or deleted
 * them. What memory changed meanwhile is brought to Redis before it is asked again, so that no lock is lost and nothing
 * that was deleted comes back. An operation that Redis may or may not have done when it was lost is done in memory as
 * well: a count may be one too high, a value taken is taken. A counter that another instance dropped is looked at again here,
 * as far as that is heard of before the loss.
 */
export class FailoverCache extends KeyValueCache {
  private readonly link: RedisLink;
  private remote: Remote | undefined;
  private readonly standIn: StandIn;
  private readonly others: Invalidations;
  /** Settles when the last changes are carried over, or that failed. */
  private switching: Promise<void> | undefined;
  private told: 'redis' | 'memory' | undefined;

  constructor(private readonly options: FailoverCacheOptions) {
    super();
    this.standIn = new StandIn(options.memory);
    this.others = options.invalidations ?? new NoInvalidations();
    // Most are counted elsewhere alone, and cost nobody a question.
    this.hearOf(DROPPED, (key) => this.standIn.memory.hasCounter(key));
    this.hearOf(RENEWED, () => true);
    this.link = new RedisLink({
      url: options.url,
      key: options.prefix,
      name: 'castellan-cache',
      onUp: (client) => this.takeUp(client),
      onDown: (error) => {
        this.standInFor(error);
      },
    });
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
    await this.run((cache) => cache.set(key, value, ttlSeconds), this.forgetCounter(key));
  }

  async delete(...keys: string[]): Promise<void> {
    const forget = this.forgetCounter(...keys);
    await this.run(
      (cache) => cache.delete(...keys),
      () => {
        forget();
        this.tellOthers(DROPPED, keys);
      },
    );
  }

  setIfNewer(key: string, value: unknown, version: number, ttlSeconds: number): Promise<boolean> {
    return this.run((cache) => cache.setIfNewer(key, value, version, ttlSeconds), this.forgetCounter(key));
  }

  increment(key: string, ttlSeconds: number, by = 1): Promise<number> {
    return this.run(
      (cache) => cache.increment(key, ttlSeconds, by),
      (sum) => {
        this.standIn.memory.adoptCounter(key, sum, ttlSeconds);
      },
    );
  }

  override count(...steps: readonly CounterStep[]): Promise<number[]> {
    return this.run(
      (cache) => cache.count(...steps),
      (results) => {
        const { memory } = this.standIn;
        steps.forEach((step, place) => {
          if ('add' in step) memory.adoptCounter(step.to, results[place] ?? 0, step.ttlSeconds);
          else if ('drop' in step) void memory.delete(step.drop);
        });
        this.tellDropped(steps);
      },
    );
  }

  ttl(key: string): Promise<number> {
    return this.run((cache) => cache.ttl(key));
  }

  take<T>(key: string): Promise<T | undefined> {
    return this.run((cache) => cache.take<T>(key), this.forgetCounter(key));
  }

  override async close(): Promise<void> {
    this.link.close();
    this.remote = undefined;
  }

  /** @param mirror keeps the counters in memory in step with what Redis did. */
  private async run<T>(operation: (cache: KeyValueCache) => Promise<T>, mirror?: (result: T) => void): Promise<T> {
    // That Redis was lost again on its return is for the one who brought it back; memory goes on.
    while (this.switching) await this.switching.catch(() => undefined);
    const remote = this.remote;
    if (!remote) return operation(this.standIn);
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

  private forgetCounter(...keys: string[]): () => void {
    return () => void this.standIn.memory.delete(...keys);
  }

  private hearOf(what: string, concerns: (key: string) => boolean): void {
    this.others.subscribe(what, {
      forget: (keys) => {
        for (const key of keys) if (concerns(key)) void this.lookAgain(key);
      },
      // What was missed is no reason to forget the counters of this process.
      forgetAll: () => undefined,
    });
  }

  private tellDropped(steps: readonly CounterStep[]): void {
    const dropped = steps.flatMap((step) => ('drop' in step ? [step.drop] : []));
    const added = new Set(steps.flatMap((step) => ('add' in step ? [step.to] : [])));
    this.tellOthers(
      DROPPED,
      dropped.filter((key) => !added.has(key)),
    );
    this.tellOthers(
      RENEWED,
      dropped.filter((key) => added.has(key)),
    );
  }

  /** Nobody waits for it: that they heard is not certain anyway. */
  private tellOthers(what: string, keys: readonly string[]): void {
    if (keys.length > 0) void this.others.publish(what, keys);
  }

  /** What there is by now, for others have gone on counting; where Redis does not say, what was told is all there is. */
  private async lookAgain(key: string): Promise<void> {
    const { remote } = this;
    const { memory } = this.standIn;
    // At once: what is counted here while Redis is asked, or after it went, is counted since.
    void memory.delete(key);
    const steps = [{ read: key }, { ttlOf: key }];
    const asked = remote && withDeadline(OPERATION_MS, remote.cache.count(...steps));
    const [sum = 0, seconds = 0] = (await asked?.catch(() => undefined)) ?? [];
    if (sum > 0 && seconds > 0 && this.remote === remote) memory.adoptCounter(key, sum, seconds);
  }

  private standInFor(error: unknown): void {
    this.remote = undefined;
    if (this.told === 'memory') return;
    this.told = 'memory';
    this.options.log.warn('Redis is out of reach; memory stands in for it', { err: error });
  }

  private async takeUp(client: RedisClient): Promise<void> {
    const cache = new RedisCache(client, this.options.prefix);
    await withDeadline(OPERATION_MS, cache.probe());
    if (this.standIn.hasLostChanges) await this.startAfresh(cache);
    while (this.standIn.changeCount > BATCH) await this.carryOver(cache, CARRY_OVER_MS);
    this.switching = this.switchTo({ client, cache });
    await this.switching;
  }

  /** Too much changed to be told one by one. Values may vanish at any time; counters, and so locks, stay. */
  private async startAfresh(cache: RedisCache): Promise<void> {
    await cache.clearValues();
    this.standIn.lostChangesAreHealed();
  }

  private async switchTo(remote: Remote): Promise<void> {
    try {
      // What memory is doing just now is finished, and noted, by the next turn; whoever comes later waits.
      await nextTurn();
      while (this.standIn.changeCount > 0) await this.carryOver(remote.cache, OPERATION_MS);
      // What breaks after this is told to `standInFor`; what broke before it was told too early.
      if (!this.link.holds(remote.client)) throw new Error('Redis was lost as it came back');
      this.remote = remote;
      // Stale at the next loss; its counters go on, or each loss would lift the locks of the one before.
      this.standIn.memory.forgetValues();
      this.told = 'redis';
      this.options.log.info('Redis is in use');
    } finally {
      this.switching = undefined;
    }
  }

  private async carryOver(cache: RedisCache, deadlineMs: number): Promise<void> {
    const { standIn } = this;
    const changes = standIn.takeChanges(BATCH);
    try {
      // Sent in one go: Redis does them in this order, and before anything that is asked of it later.
      await withDeadline(
        deadlineMs,
        Promise.all([...changes].flatMap(([key, change]) => this.tell(cache, key, change))),
      );
    } catch (error) {
      standIn.putBack(changes);
      throw error;
    }
  }

  private tell(cache: RedisCache, key: string, change: Change): Promise<unknown>[] {
    const { replaced, counted, isCounter, endedAtZero } = change;
    const now = this.standIn.memory.inspect(key);
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

/** The caller's fault, which no other store would mend. */
function isMistake(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}
