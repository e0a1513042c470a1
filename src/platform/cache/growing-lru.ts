import { LRUCache } from 'lru-cache';

const AT_FIRST = 1_000;
const TIMES = 4;

/**
 * A bounded memory, the least recently used going first. `LRUCache` sets aside room for all it may ever hold when it is
 * made: some 20 MB and a tenth of the start for the dozen such memories of a service that nobody has asked anything.
 */
export class GrowingLru<V extends object> {
  private values: LRUCache<string, V>;

  constructor(private readonly maxEntries: number) {
    this.values = new LRUCache({ max: Math.min(AT_FIRST, maxEntries) });
  }

  get(key: string): V | undefined {
    return this.values.get(key);
  }

  set(key: string, value: V): void {
    const { size, max } = this.values;
    if (size === max && max < this.maxEntries) this.grow(Math.min(max * TIMES, this.maxEntries));
    this.values.set(key, value);
  }

  delete(key: string): void {
    this.values.delete(key);
  }

  clear(): void {
    this.values.clear();
  }

  private grow(max: number): void {
    const larger = new LRUCache<string, V>({ max });
    larger.load(this.values.dump());
    this.values = larger;
  }
}
