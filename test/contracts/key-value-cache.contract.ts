import { setTimeout as sleep } from 'node:timers/promises';
import { KeyValueCache } from '../../src/platform/cache';

export interface CacheUnderTest {
  readonly cache: KeyValueCache;
  close(): Promise<void>;
  /** Moves the store's clock; without it the tests wait. */
  advance?(milliseconds: number): void | Promise<void>;
}

/** A timer may fire a millisecond early, and a server counts whole ones of its own clock. */
const CLOCK_STEP_MS = 5;

/** What every `KeyValueCache` promises; run it on your own class. `make` is called for each test. */
export function describeKeyValueCache(name: string, make: () => Promise<CacheUnderTest>): void {
  describe(`${name} keeps the promises of KeyValueCache`, () => {
    let under: CacheUnderTest;
    let cache: KeyValueCache;
    const pass = async (ms: number): Promise<void> => {
      await (under.advance ? under.advance(ms) : sleep(ms + CLOCK_STEP_MS));
    };

    beforeEach(async () => {
      under = await make();
      cache = under.cache;
    });
    afterEach(() => under.close());

    describe('values', () => {
      it.each([['text'], [0], [false], [null], [''], [[1, 'two', null]], [{ a: { b: ['ü', '\u2028'] } }]])(
        'gives back %j',
        async (value) => {
          await cache.set('k', value, 10);
          expect(await cache.get('k')).toEqual(value);
        },
      );

      it('answers undefined for a key that is not there', async () => {
        expect(await cache.get('k')).toBeUndefined();
      });

      it('keeps what JSON keeps', async () => {
        await cache.set('k', { at: new Date(0), gone: undefined }, 10);
        expect(await cache.get('k')).toEqual({ at: '1970-01-01T00:00:00.000Z' });
      });

      it('refuses undefined', async () => {
        await expect(cache.set('k', undefined, 10)).rejects.toThrow(TypeError);
      });

      it('shares no state with its callers', async () => {
        const mine = { list: [1] };
        await cache.set('k', mine, 10);
        mine.list.push(2);
        (await cache.get<{ list: number[] }>('k'))!.list.push(3);
        expect(await cache.get('k')).toEqual({ list: [1] });
      });

      it('deletes several keys, and none', async () => {
        await cache.set('a', 1, 10);
        await cache.set('b', 2, 10);
        await cache.set('c', 3, 10);
        await cache.delete('a', 'b', 'never there');
        await cache.delete();
        expect([await cache.get('a'), await cache.get('b'), await cache.get('c')]).toEqual([undefined, undefined, 3]);
      });
    });

    describe('time to live', () => {
      it('ends exactly then', async () => {
        await cache.set('k', 1, 1);
        await pass(700);
        expect(await cache.get('k')).toBe(1);
        await pass(300);
        expect(await cache.get('k')).toBeUndefined();
      });

      it('starts anew with each set', async () => {
        await cache.set('k', 1, 1);
        await pass(600);
        await cache.set('k', 2, 1);
        await pass(600);
        expect(await cache.get('k')).toBe(2);
      });

      it.each([0, -1])('of %d seconds removes the key', async (ttl) => {
        await cache.set('k', 1, 10);
        await cache.set('k', 2, ttl);
        expect(await cache.get('k')).toBeUndefined();
      });

      it('is told in whole seconds, rounded up', async () => {
        await cache.set('k', 1, 2);
        await pass(500);
        expect(await cache.ttl('k')).toBe(2);
        await pass(1_000);
        expect(await cache.ttl('k')).toBe(1);
        await pass(500);
        expect(await cache.ttl('k')).toBe(0);
        expect(await cache.ttl('never there')).toBe(0);
      });

      it.each([Number.NaN, Infinity])('refuses %d', async (ttl) => {
        await expect(cache.set('k', 1, ttl)).rejects.toThrow(RangeError);
      });
    });

    describe('versions', () => {
      it.each([
        { there: 2, offered: 1, stored: false },
        { there: 2, offered: 2, stored: true },
        { there: 2, offered: 3, stored: true },
        { there: 9, offered: 10, stored: true },
      ])('$offered over $there -> $stored', async ({ there, offered, stored }) => {
        expect(await cache.setIfNewer('k', 'there', there, 10)).toBe(true);
        expect(await cache.setIfNewer('k', 'offered', offered, 10)).toBe(stored);
        expect(await cache.get('k')).toBe(stored ? 'offered' : 'there');
      });

      it('leaves the TTL alone when it does not store', async () => {
        await cache.setIfNewer('k', 'new', 2, 1);
        await cache.setIfNewer('k', 'old', 1, 10);
        await pass(1_000);
        expect(await cache.get('k')).toBeUndefined();
      });

      it.each(['set', 'delete', 'expiry'])('are forgotten by %s', async (way) => {
        await cache.setIfNewer('k', 'new', 2, 1);
        if (way === 'set') await cache.set('k', 'plain', 10);
        if (way === 'delete') await cache.delete('k');
        if (way === 'expiry') await pass(1_000);
        expect(await cache.setIfNewer('k', 'old', 1, 10)).toBe(true);
      });

      it('leaves the newest of many that race', async () => {
        const versions = [3, 9, 1, 7, 5, 8, 2, 6, 4];
        await Promise.all(versions.map((version) => cache.setIfNewer('k', version, version, 10)));
        expect(await cache.get('k')).toBe(9);
      });
    });

    describe('counters', () => {
      it('count up, down, and never below 0', async () => {
        expect(await cache.increment('n', 10)).toBe(1);
        expect(await cache.increment('n', 10, 4)).toBe(5);
        expect(await cache.increment('n', 10, -2)).toBe(3);
        expect(await cache.increment('n', 10, -9)).toBe(0);
        expect([await cache.get('n'), await cache.ttl('n')]).toEqual([undefined, 0]);
        expect(await cache.increment('n', 10)).toBe(1);
        expect(await cache.get('n')).toBe(1);
      });

      it('make nothing of a decrement of nothing', async () => {
        expect(await cache.increment('n', 10, -1)).toBe(0);
        expect(await cache.get('n')).toBeUndefined();
      });

      it('end by the TTL of the increment that made them', async () => {
        await cache.increment('n', 1);
        await pass(600);
        await cache.increment('n', 10);
        expect(await cache.ttl('n')).toBe(1);
        await pass(400);
        expect(await cache.increment('n', 10)).toBe(1);
        expect(await cache.ttl('n')).toBe(10);
      });

      it('lose nothing to parallel callers', async () => {
        const sums = await Promise.all(Array.from({ length: 100 }, () => cache.increment('n', 10)));
        expect([...sums].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
      });

      it.each([
        { ttl: 0, by: 1 },
        { ttl: -1, by: 1 },
        { ttl: 10, by: 0.5 },
        { ttl: 10, by: Number.NaN },
      ])('refuse a TTL of $ttl with a step of $by', async ({ ttl, by }) => {
        await expect(cache.increment('n', ttl, by)).rejects.toThrow(RangeError);
      });
    });

    describe('take', () => {
      it('gives a value once', async () => {
        await cache.set('k', { id: 1 }, 10);
        expect(await cache.take('k')).toEqual({ id: 1 });
        expect(await cache.take('k')).toBeUndefined();
        expect(await cache.get('k')).toBeUndefined();
      });

      it('gives it to one of parallel callers', async () => {
        await cache.set('k', 'only', 10);
        const taken = await Promise.all(Array.from({ length: 20 }, () => cache.take('k')));
        expect(taken.filter((value) => value === 'only')).toHaveLength(1);
      });

      it('gives nothing after the end', async () => {
        await cache.set('k', 1, 1);
        await pass(1_000);
        expect(await cache.take('k')).toBeUndefined();
      });
    });
  });
}
