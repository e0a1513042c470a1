/** What is done to one counter, and what it answers. */
export type CounterStep =
  /** As `increment`: the sum. */
  | { readonly add: number; readonly to: string; readonly ttlSeconds: number }
  /** Its number, 0 where there is none. */
  | { readonly read: string }
  /** As `ttl`, of any key. */
  | { readonly ttlOf: string }
  /** As `delete`: 0. */
  | { readonly drop: string };

/**
 * Small JSON values that may vanish at any time, and counters. A key holds either a value or a counter. Every method is
 * atomic across all users of the store. TTLs are seconds, fractions allowed.
 */
export abstract class KeyValueCache {
  /** A copy of the value as JSON keeps it (a Date comes back as text); a counter reads as its number. */
  abstract get<T>(key: string): Promise<T | undefined>;

  /** Stores without a version. A TTL of 0 or less removes the key; `undefined` is no value. */
  abstract set(key: string, value: unknown, ttlSeconds: number): Promise<void>;

  /** Removes keys, versions included: to keep an older version out, store a marker with a version instead. */
  abstract delete(...keys: string[]): Promise<void>;

  /** Stores and answers true unless a newer version is there; an equal version or an unversioned value is replaced. */
  abstract setIfNewer(key: string, value: unknown, version: number, ttlSeconds: number): Promise<boolean>;

  /**
   * Adds `by` and answers the sum, which is never below 0. The TTL runs from the increment that made the counter; later
   * ones do not move it. One that falls to 0 is gone; a decrement of nothing answers 0 and makes nothing. A counter that
   * lives is not dropped to make room: rather a new one is refused (`unavailable`).
   */
  abstract increment(key: string, ttlSeconds: number, by?: number): Promise<number>;

  /**
   * Does several things to counters, in this order, and answers what each came to. The stores of this package do all of it
   * as one step. Where one that adds is refused, what stands after it is not done.
   */
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

  /** Whole seconds left, rounded up, so at least 1 while the key lives; 0 if there is none. */
  abstract ttl(key: string): Promise<number>;

  /** Gets and deletes: of parallel callers one gets the value. */
  abstract take<T>(key: string): Promise<T | undefined>;

  /** Whether something lesser stands in for the store that was asked for. */
  get isDegraded(): boolean {
    return false;
  }

  /** Lets go of connections, once nothing asks any more. */
  async close(): Promise<void> {
    // Most stores hold none.
  }
}
