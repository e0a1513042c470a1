import { performance } from 'node:perf_hooks';
import { platformErrors } from '../errors';
import { MemoryCache } from './memory-cache';

describe('MemoryCache', () => {
  it('evicts the least recently used value when it is full', async () => {
    const cache = new MemoryCache({ maxEntries: 2 });
    await cache.set('a', 1, 10);
    await cache.set('b', 2, 10);
    await cache.get('a');
    await cache.set('c', 3, 10);
    expect([await cache.get('a'), await cache.get('b'), await cache.get('c')]).toEqual([1, undefined, 3]);
  });

  it('never evicts live counters and rejects new ones when full', async () => {
    let now = 0;
    const cache = new MemoryCache({ maxEntries: 2, maxCounters: 3, now: () => now });
    await cache.increment('lock', 900);
    await cache.increment('short', 10);
    await cache.increment('other', 900);
    for (const key of ['a', 'b', 'c', 'd']) await cache.set(key, 1, 900);
    const rejection = { code: platformErrors.unavailable.code };
    await expect(cache.increment('new', 900)).rejects.toMatchObject(rejection);
    expect([await cache.get('lock'), await cache.increment('lock', 900)]).toEqual([1, 2]);
    now = 10_000;
    expect(await cache.increment('new', 900)).toBe(1);
    await expect(cache.increment('newer', 900)).rejects.toMatchObject(rejection);
    expect(await cache.get('lock')).toBe(2);
  });

  it('sweeps expired counters at most once a second', async () => {
    let now = 0;
    const cache = new MemoryCache({ maxCounters: 1, now: () => now });
    const count = (key: string): Promise<unknown> => cache.increment(key, 0.5).catch((error: unknown) => error);
    await count('a');
    const rejection = { code: platformErrors.unavailable.code };
    expect(await count('b')).toMatchObject(rejection);
    now = 999;
    expect(await count('b')).toMatchObject(rejection);
    now = 1_000;
    expect(await count('b')).toBe(1);
  });

  it('frees the place of a counter that fell to 0', async () => {
    const cache = new MemoryCache({ maxCounters: 1 });
    for (const key of ['a', 'b', 'c']) {
      expect(await cache.increment(key, 900)).toBe(1);
      expect(await cache.increment(key, 900, -1)).toBe(0);
    }
  });

  it('uses a monotonic clock', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    try {
      const cache = new MemoryCache();
      await cache.set('k', 1, 0.02);
      clock.mockReturnValue(1_019);
      expect(await cache.get('k')).toBe(1);
      clock.mockReturnValue(1_020);
      expect(await cache.get('k')).toBeUndefined();
    } finally {
      clock.mockRestore();
    }
  });

  it('rejects an increment of a value', async () => {
    const cache = new MemoryCache();
    await cache.set('k', { a: 1 }, 10);
    await expect(cache.increment('k', 10)).rejects.toThrow(TypeError);
  });

  it.each([0.5, Number.NaN])('rejects the version %d', async (version) => {
    await expect(new MemoryCache().setIfNewer('k', 1, version, 10)).rejects.toThrow(RangeError);
  });
});
