import { LRUCache } from 'lru-cache';
import { createLru } from './lru';

const held = (lru: LRUCache<string, object>, keys: number): number[] =>
  Array.from({ length: keys }, (_, key) => key).filter((key) => lru.get(String(key)) !== undefined);

function filled(maxEntries: number, keys: number): LRUCache<string, object> {
  const lru = createLru<object>(maxEntries);
  for (let key = 0; key < keys; key++) lru.set(String(key), { key });
  return lru;
}

describe('createLru', () => {
  it.each([
    { maxEntries: 1, keys: 3 },
    { maxEntries: 999, keys: 1_200 },
    { maxEntries: 1_001, keys: 1_500 },
    { maxEntries: 10_000, keys: 10_000 },
    { maxEntries: 10_000, keys: 25_000 },
  ])('keeps the last $maxEntries of $keys values', ({ maxEntries, keys }) => {
    const found = held(filled(maxEntries, keys), keys);
    expect(found).toHaveLength(Math.min(maxEntries, keys));
    expect(found.at(0)).toBe(Math.max(0, keys - maxEntries));
  });

  it('tracks the order of use while it fills', () => {
    const lru = filled(1_500, 1_000);
    lru.get('0');
    for (let key = 1_000; key < 1_501; key++) lru.set(String(key), { key });
    expect([lru.get('0'), lru.get('1'), lru.get('2')]).toEqual([{ key: 0 }, undefined, { key: 2 }]);
  });

  it('deletes one key or all keys', () => {
    const lru = filled(10, 3);
    lru.delete('1');
    expect(held(lru, 3)).toEqual([0, 2]);
    lru.clear();
    expect(held(lru, 3)).toEqual([]);
  });
});
