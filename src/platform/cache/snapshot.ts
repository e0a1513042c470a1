import { MaybePromise } from '../util';
import { ReadThroughCache } from './read-through-cache';

const WHOLE = 'whole';

/**
 * A small whole table, parsed at load and read synchronously. The commit that changes it drops it here, so that the
 * next read loads it; in other instances it is at most a second old.
 */
export class Snapshot<T extends object> {
  constructor(
    private readonly cache: ReadThroughCache<T>,
    private readonly load: () => Promise<T>,
  ) {}

  /** Callers share the value: treat it as read-only. */
  get(): MaybePromise<T> {
    // Never undefined: a load returns the table even when it is empty.
    return this.cache.get(WHOLE, this.load) as MaybePromise<T>;
  }

  /** Returns the value in memory; undefined: call `get`. */
  getCached(): T | undefined {
    return this.cache.getCached(WHOLE);
  }

  /** Call in the transaction that changes the table. */
  invalidate(): Promise<void> {
    return this.cache.invalidate(WHOLE);
  }

  /** Drops the value in this process without notifying others: for suspected, not for known changes. */
  invalidateLocal(): void {
    this.cache.invalidateLocal(WHOLE);
  }
}
