import { LRUCache } from 'lru-cache';

/**
 * Evicts the least recently used entries beyond `maxEntries`. Uses `maxSize`: `max` would allocate the whole capacity.
 */
export function createLru<V extends object>(maxEntries: number): LRUCache<string, V> {
  return new LRUCache<string, V>({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
