import { MemoryCache } from './memory-cache';

describe('MemoryCache', () => {
  it('lets the least recently used go when it is full', async () => {
    const cache = new MemoryCache({ maxEntries: 2 });
    await cache.set('a', 1, 10);
    await cache.set('b', 2, 10);
    await cache.get('a');
    await cache.set('c', 3, 10);
    expect([await cache.get('a'), await cache.get('b'), await cache.get('c')]).toEqual([1, undefined, 3]);
  });

  it('runs on its own monotonic clock', async () => {
    const cache = new MemoryCache();
    await cache.set('k', 1, 0.02);
    expect(await cache.get('k')).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await cache.get('k')).toBeUndefined();
  });

  it('refuses to count on a value', async () => {
    const cache = new MemoryCache();
    await cache.set('k', { a: 1 }, 10);
    await expect(cache.increment('k', 10)).rejects.toThrow(TypeError);
  });

  it.each([0.5, Number.NaN])('refuses the version %d', async (version) => {
    await expect(new MemoryCache().setIfNewer('k', 1, version, 10)).rejects.toThrow(RangeError);
  });
});
