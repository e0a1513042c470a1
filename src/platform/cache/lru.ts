import { LRUCache } from 'lru-cache';

/**
 * Evicts the least recently used beyond `maxEntries`. Uses `maxSize`, because `max` allocates its whole capacity at
 * once.
 */
export function createLru<V extends object>(maxEntries: number): LRUCache<string, V> {
  return new LRUCache<string, V>({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
