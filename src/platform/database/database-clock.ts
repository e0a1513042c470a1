import { performance } from 'node:perf_hooks';

const monotonicNow = (): number => performance.timeOrigin + performance.now();

/**
 * The database's clock as this process last saw it. Expiry of sessions and tokens is judged by it, so that instances
 * whose own clocks differ, or jump, agree; between two sights the process's monotonic clock carries it on.
 */
export class DatabaseClock {
  private offsetMs = 0;

  constructor(private readonly localNow: () => number = monotonicNow) {}

  /** Takes a `now()` that came with a query's answer. */
  observe(databaseNow: Date): void {
    this.offsetMs = databaseNow.getTime() - this.localNow();
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.localNow() + this.offsetMs;
  }
}
