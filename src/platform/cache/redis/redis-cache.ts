import { Cache, createCache } from 'cache-manager';
import { redisInsStore, RedisStore } from 'cache-manager-redis-yet';
import { checkedCounterTtl, checkedStep, checkedVersion, lifetimeMs, toJson } from '../cache-rules';
import { CounterStep } from '../counter-store';
import { KeyValueCache } from '../key-value-cache';
import { disconnect, RedisClient } from './redis-client';
import { ScriptedStep } from './redis-scripts';

/** A value as stored in Redis; a counter is a bare number. Scripts read the version from the start of the JSON. */
type Stored = number | { readonly version?: number; readonly value: unknown };

/** A counter's state in another store. */
export interface CountedElsewhere {
  readonly delta: number;
  readonly sum: number;
  readonly ttlSeconds: number;
}

const PROBE_KEY = 'cache:probe';
const PROBE_SECONDS = 10;
const SCAN_COUNT = 1_000;
const COUNTER = /^\d+$/;

function valueOf(stored: Stored | undefined): unknown {
  return typeof stored === 'object' ? stored.value : stored;
}

/** A cache that all instances share: cache-manager's Redis store, plus scripts for steps that must be atomic. */
export class RedisCache extends KeyValueCache {
  private readonly cache: Cache<RedisStore>;

  /** @param prefix separates services that share a Redis. */
  constructor(
    private readonly client: RedisClient,
    private readonly prefix: string,
  ) {
    super();
    // The type of the store requires a client with Redis modules, but it uses none of them.
    const store = redisInsStore(client as unknown as RedisStore['client']);
    this.cache = createCache(store) as Cache<RedisStore>;
  }

  async get<T>(key: string): Promise<T | undefined> {
    return valueOf(await this.cache.get<Stored>(this.full(key))) as T | undefined;
  }

  async set(key: string, value: unknown, ttlSeconds: number): Promise<void> {
    toJson(value);
    const ttl = lifetimeMs(ttlSeconds);
    if (ttl > 0) await this.cache.set(this.full(key), { value } satisfies Stored, ttl);
    else await this.cache.del(this.full(key));
  }

  async delete(...keys: string[]): Promise<void> {
    if (keys.length > 0) await this.cache.store.mdel(...keys.map((key) => this.full(key)));
  }

  async setIfNewer(key: string, value: unknown, version: number, ttlSeconds: number): Promise<boolean> {
    const json = `{"version":${checkedVersion(version)},"value":${toJson(value)}}`;
    return (await this.client.setIfNewer(this.full(key), json, version, lifetimeMs(ttlSeconds))) === 1;
  }

  async increment(key: string, ttlSeconds: number, by = 1): Promise<number> {
    const sum = await this.client.increment(this.full(key), checkedStep(by), checkedCounterTtl(ttlSeconds));
    if (sum < 0) throw new TypeError(`${key} holds no counter`);
    return sum;
  }

  override async count(...steps: readonly CounterStep[]): Promise<number[]> {
    const results = await this.client.count(steps.map((step) => this.scripted(step)));
    const mistaken = steps.find((_, place) => (results[place] ?? -1) < 0);
    if (mistaken) throw new TypeError(`${keyOf(mistaken)} holds no counter`);
    return results.map((result, place) => (isTtl(steps[place]) ? Math.ceil(result / 1_000) : result));
  }

  async ttl(key: string): Promise<number> {
    return Math.max(0, Math.ceil((await this.cache.store.ttl(this.full(key))) / 1_000));
  }

  /** Adds counts from another store; see the script. */
  async mergeCounter(key: string, { delta, sum, ttlSeconds }: CountedElsewhere): Promise<void> {
    await this.client.mergeCounter(this.full(key), delta, sum, checkedCounterTtl(ttlSeconds));
  }

  /** Fails unless the server accepts writes: a full server and a replica answer PING but reject writes. */
  async probe(): Promise<void> {
    await this.set(PROBE_KEY, true, PROBE_SECONDS);
  }

  /** Removes every value under the prefix; counters stay. */
  async clearValues(): Promise<void> {
    let cursor = 0;
    do {
      const found = await this.client.scan(cursor, { MATCH: `${this.prefix}*`, COUNT: SCAN_COUNT });
      if (found.keys.length > 0) await this.unlinkValues(found.keys);
      cursor = found.cursor;
    } while (cursor !== 0);
  }

  private async unlinkValues(keys: string[]): Promise<void> {
    const stored = await this.client.mGet(keys);
    const values = keys.filter((_, position) => !COUNTER.test(stored[position] ?? ''));
    if (values.length > 0) await this.client.unlink(values);
  }

  override async close(): Promise<void> {
    disconnect(this.client);
  }

  private scripted(step: CounterStep): ScriptedStep {
    const key = this.full(keyOf(step));
    if (!('add' in step)) return { key, kind: 'read' in step ? 'read' : 'ttlOf' in step ? 'ttl' : 'drop' };
    return { key, kind: 'add', by: checkedStep(step.add), ttlMs: checkedCounterTtl(step.ttlSeconds) };
  }

  private full(key: string): string {
    return `${this.prefix}${key}`;
  }
}

function keyOf(step: CounterStep): string {
  if ('add' in step) return step.to;
  if ('read' in step) return step.read;
  return 'ttlOf' in step ? step.ttlOf : step.drop;
}

const isTtl = (step: CounterStep | undefined): boolean => step !== undefined && 'ttlOf' in step;
