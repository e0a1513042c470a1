import { deepEqual, equal, rejects } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyValueCache } from '../../platform/cache';
import { ContractCase, contractOf, forEach, Make, Promises, UnderTest } from './contract-case';

export interface CacheUnderTest extends UnderTest {
  /** An empty cache, or one with a separate key space. */
  readonly cache: KeyValueCache;
  /** Advances the store's clock. Without it, the contract waits. */
  readonly advance?: (milliseconds: number) => void | Promise<void>;
}

type Kept = Promises<CacheUnderTest>;

/** A timer may fire a millisecond early, and a server counts whole milliseconds on another clock. */
const CLOCK_STEP_MS = 5;

async function pass({ advance }: CacheUnderTest, milliseconds: number): Promise<void> {
  await (advance ? advance(milliseconds) : sleep(milliseconds + CLOCK_STEP_MS));
}

const values: Kept = {
  ...forEach<unknown, CacheUnderTest>(
    ['text', 0, false, null, '', [1, 'two', null], { a: { b: ['ü', '\u2028'] } }],
    (value) => `returns the stored ${JSON.stringify(value)}`,
    async ({ cache }, value) => {
      await cache.set('k', value, 10);
      deepEqual(await cache.get('k'), value);
    },
  ),
  'returns undefined for a missing key': async ({ cache }) => {
    equal(await cache.get('k'), undefined);
  },
  'stores values as JSON': async ({ cache }) => {
    await cache.set('k', { at: new Date(0), gone: undefined }, 10);
    deepEqual(await cache.get('k'), { at: '1970-01-01T00:00:00.000Z' });
  },
  'rejects undefined as a value': async ({ cache }) => {
    await rejects(cache.set('k', undefined, 10), TypeError);
  },
  'shares no state with its callers': async ({ cache }) => {
    const mine = { list: [1] };
    await cache.set('k', mine, 10);
    mine.list.push(2);
    (await cache.get<{ list: number[] }>('k'))?.list.push(3);
    deepEqual(await cache.get('k'), { list: [1] });
  },
  'deletes several keys or none': async ({ cache }) => {
    await cache.set('a', 1, 10);
    await cache.set('b', 2, 10);
    await cache.set('c', 3, 10);
    await cache.delete('a', 'b', 'never there');
    await cache.delete();
    deepEqual([await cache.get('a'), await cache.get('b'), await cache.get('c')], [undefined, undefined, 3]);
  },
};

const timeToLive: Kept = {
  'expires a key exactly after its TTL': async (under) => {
    const { cache } = under;
    await cache.set('k', 1, 1);
    await pass(under, 700);
    equal(await cache.get('k'), 1);
    await pass(under, 300);
    equal(await cache.get('k'), undefined);
  },
  'restarts the TTL with each set': async (under) => {
    const { cache } = under;
    await cache.set('k', 1, 1);
    await pass(under, 600);
    await cache.set('k', 2, 1);
    await pass(under, 600);
    equal(await cache.get('k'), 2);
  },
  ...forEach<number, CacheUnderTest>(
    [0, -1],
    (ttl) => `removes the key for a TTL of ${ttl} seconds`,
    async ({ cache }, ttl) => {
      await cache.set('k', 1, 10);
      await cache.set('k', 2, ttl);
      equal(await cache.get('k'), undefined);
    },
  ),
  'returns the TTL in whole seconds, rounded up': async (under) => {
    const { cache } = under;
    await cache.set('k', 1, 2);
    await pass(under, 500);
    equal(await cache.ttl('k'), 2);
    await pass(under, 1_000);
    equal(await cache.ttl('k'), 1);
    await pass(under, 500);
    equal(await cache.ttl('k'), 0);
    equal(await cache.ttl('never there'), 0);
  },
  ...forEach<number, CacheUnderTest>(
    [Number.NaN, Infinity],
    (ttl) => `rejects a TTL of ${ttl}`,
    async ({ cache }, ttl) => {
      await rejects(cache.set('k', 1, ttl), RangeError);
    },
  ),
};

const versions: Kept = {
  ...forEach<{ there: number; offered: number; stored: boolean }, CacheUnderTest>(
    [
      { there: 2, offered: 1, stored: false },
      { there: 2, offered: 2, stored: true },
      { there: 2, offered: 3, stored: true },
      { there: 9, offered: 10, stored: true },
    ],
    ({ there, offered, stored }) => `returns ${stored} for version ${offered} over ${there}`,
    async ({ cache }, { there, offered, stored }) => {
      equal(await cache.setIfNewer('k', 'there', there, 10), true);
      equal(await cache.setIfNewer('k', 'offered', offered, 10), stored);
      equal(await cache.get('k'), stored ? 'offered' : 'there');
    },
  ),
  'keeps the TTL when it does not store': async (under) => {
    const { cache } = under;
    await cache.setIfNewer('k', 'new', 2, 1);
    await cache.setIfNewer('k', 'old', 1, 10);
    await pass(under, 1_000);
    equal(await cache.get('k'), undefined);
  },
  'clears the version by set': async ({ cache }) => {
    await cache.setIfNewer('k', 'new', 2, 1);
    await cache.set('k', 'plain', 10);
    equal(await cache.setIfNewer('k', 'old', 1, 10), true);
  },
  'clears the version by delete': async ({ cache }) => {
    await cache.setIfNewer('k', 'new', 2, 1);
    await cache.delete('k');
    equal(await cache.setIfNewer('k', 'old', 1, 10), true);
  },
  'clears the version when the key expires': async (under) => {
    await under.cache.setIfNewer('k', 'new', 2, 1);
    await pass(under, 1_000);
    equal(await under.cache.setIfNewer('k', 'old', 1, 10), true);
  },
  'keeps the newest of concurrent versions': async ({ cache }) => {
    await Promise.all([3, 9, 1, 7, 5, 8, 2, 6, 4].map((version) => cache.setIfNewer('k', version, version, 10)));
    equal(await cache.get('k'), 9);
  },
};

const counters: Kept = {
  'counts up and down, but never below 0': async ({ cache }) => {
    equal(await cache.increment('n', 10), 1);
    equal(await cache.increment('n', 10, 4), 5);
    equal(await cache.increment('n', 10, -2), 3);
    equal(await cache.increment('n', 10, -9), 0);
    deepEqual([await cache.get('n'), await cache.ttl('n')], [undefined, 0]);
    equal(await cache.increment('n', 10), 1);
    equal(await cache.get('n'), 1);
  },
  'stores nothing for a decrement of a missing counter': async ({ cache }) => {
    equal(await cache.increment('n', 10, -1), 0);
    equal(await cache.get('n'), undefined);
  },
  'expires a counter by the TTL of its first increment': async (under) => {
    const { cache } = under;
    await cache.increment('n', 1);
    await pass(under, 600);
    await cache.increment('n', 10);
    equal(await cache.ttl('n'), 1);
    await pass(under, 400);
    equal(await cache.increment('n', 10), 1);
    equal(await cache.ttl('n'), 10);
  },
  'loses no concurrent increment': async ({ cache }) => {
    const sums = await Promise.all(Array.from({ length: 100 }, () => cache.increment('n', 10)));
    deepEqual(
      [...sums].sort((one, other) => one - other),
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
  },
  ...forEach<{ ttl: number; by: number }, CacheUnderTest>(
    [
      { ttl: 0, by: 1 },
      { ttl: -1, by: 1 },
      { ttl: 10, by: 0.5 },
      { ttl: 10, by: Number.NaN },
    ],
    ({ ttl, by }) => `rejects a count with a TTL of ${ttl} and a step of ${by}`,
    async ({ cache }, { ttl, by }) => {
      await rejects(cache.increment('n', ttl, by), RangeError);
    },
  ),
};

const counting: Kept = {
  'runs several counter operations atomically and in order': async ({ cache }) => {
    await cache.increment('n', 10, 2);
    await cache.increment('gone', 10);
    const results = await cache.count(
      { read: 'n' },
      { add: 3, to: 'n', ttlSeconds: 20 },
      { read: 'n' },
      { ttlOf: 'n' },
      { drop: 'gone' },
      { read: 'gone' },
      { ttlOf: 'never there' },
      { add: -9, to: 'n', ttlSeconds: 10 },
    );
    deepEqual(results, [2, 5, 5, 10, 0, 0, 0, 0]);
    deepEqual([await cache.get('n'), await cache.get('gone')], [undefined, undefined]);
    deepEqual(await cache.count(), []);
  },
  'returns the TTLs of several keys of any kind': async ({ cache }) => {
    await cache.increment('n', 10);
    await cache.set('v', ['value'], 20);
    deepEqual(await cache.count({ ttlOf: 'v' }, { ttlOf: 'never there' }, { ttlOf: 'n' }), [20, 0, 10]);
  },
  'loses no concurrent count': async ({ cache }) => {
    const step = { add: 1, to: 'n', ttlSeconds: 10 };
    const counted = await Promise.all(Array.from({ length: 100 }, () => cache.count(step, { read: 'n' })));
    const sums = counted.map(([sum = 0]) => sum).sort((one, other) => one - other);
    deepEqual(
      sums,
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
  },
  'changes nothing if one step is invalid': async ({ cache }) => {
    const steps = [0, 10].map((ttlSeconds) => ({ add: 1, to: 'n', ttlSeconds }));
    await rejects(cache.count(...steps), RangeError);
    equal(await cache.get('n'), undefined);
  },
};

/** The contract of every `KeyValueCache`. */
export function keyValueCacheContract(make: Make<CacheUnderTest>): ContractCase[] {
  return contractOf(make, { ...values, ...timeToLive, ...versions, ...counters, ...counting });
}
