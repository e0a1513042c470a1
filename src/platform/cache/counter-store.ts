/** One operation on a counter. */
export type CounterStep =
  /** As `increment`: returns the sum. */
  | { readonly add: number; readonly to: string; readonly ttlSeconds: number }
  /** Returns the number, 0 for a missing counter. */
  | { readonly read: string }
  /** As `ttl`, for any key. */
  | { readonly ttlOf: string }
  /** As `delete`: returns 0. */
  | { readonly drop: string };

/** Counters for limits and locks, shared by all instances on the same store. TTLs are in seconds, fractions allowed. */
export abstract class CounterStore {
  /**
   * Adds `by` and returns the sum, which is never below 0. The TTL starts with the increment that creates the counter;
   * later ones do not extend it. A counter that falls to 0 is deleted; decrementing a missing one returns 0 and creates
   * nothing. Live counters are never evicted: a full store rejects new ones. Errors: `unavailable`.
   */
  abstract increment(key: string, ttlSeconds: number, by?: number): Promise<number>;

  /**
   * Runs several operations in order and returns the result of each. The stores of this package run them atomically.
   * When one that adds is rejected, the operations after it do not run.
   */
  abstract count(...steps: readonly CounterStep[]): Promise<number[]>;

  /** Whole seconds left, rounded up, so at least 1 while the key lives; 0 for a missing key. */
  abstract ttl(key: string): Promise<number>;

  abstract delete(...keys: string[]): Promise<void>;
}
