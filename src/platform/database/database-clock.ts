import { performance } from 'node:perf_hooks';

const monotonicNow = (): number => performance.timeOrigin + performance.now();

/**
 * Estimates the database clock. Sessions and tokens expire by it, so that instances agree even if their own clocks
 * differ or jump. The monotonic clock of the process bridges the time between two observations.
 */
export class DatabaseClock {
  private offsetMs = 0;

  constructor(private readonly localNow: () => number = monotonicNow) {}

  /** Records `now()` from a query result. */
  observe(databaseNow: Date): void {
    this.offsetMs = databaseNow.getTime() - this.localNow();
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.localNow() + this.offsetMs;
  }
}
