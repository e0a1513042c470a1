import { CounterStep, CounterStore } from './counter-store';

/**
 * Small JSON values that may vanish at any time, and counters. A key holds either a value or a counter. Every method is
 * atomic across all users of the store. TTLs are in seconds, fractions allowed.
 */
export abstract class KeyValueCache extends CounterStore {
  /** Returns a copy as JSON keeps it (a Date becomes text); a counter reads as its number. */
  abstract get<T>(key: string): Promise<T | undefined>;

  /** Stores without a version. A TTL of 0 or less removes the key; `undefined` is not allowed. */
  abstract set(key: string, value: unknown, ttlSeconds: number): Promise<void>;

  /** Removes keys with their versions. To keep an older version out, store a marker with a version instead. */
  abstract override delete(...keys: string[]): Promise<void>;

  /** Stores and returns true unless a newer version is stored; replaces an equal version or an unversioned value. */
  abstract setIfNewer(key: string, value: unknown, version: number, ttlSeconds: number): Promise<boolean>;

  /** Runs the operations one by one; stores that can run them atomically override it. */
  async count(...steps: readonly CounterStep[]): Promise<number[]> {
    if (steps.every((step) => 'read' in step || 'ttlOf' in step)) {
      return Promise.all(steps.map((step) => this.countOne(step)));
    }
    const results: number[] = [];
    for (const step of steps) results.push(await this.countOne(step));
    return results;
  }

  private async countOne(step: CounterStep): Promise<number> {
    if ('add' in step) return this.increment(step.to, step.ttlSeconds, step.add);
    if ('read' in step) return (await this.get<number>(step.read)) ?? 0;
    if ('ttlOf' in step) return this.ttl(step.ttlOf);
    await this.delete(step.drop);
    return 0;
  }

  /** Whether memory replaces the configured store. */
  get isDegraded(): boolean {
    return false;
  }

  /** Releases connections. Call it when no operation follows. */
  async close(): Promise<void> {
    // Most stores hold no connections.
  }
}
