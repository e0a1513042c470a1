const FIRST_MS = 10_000;
const MAX_MS = 3_600_000;

/** Decides which of repeated failures are worth a line of the log: the first, then at intervals that double. */
export class GrowingIntervals {
  private dueAt = 0;
  private intervalMs = FIRST_MS;

  /** Whether this failure is logged. */
  isDue(now = performance.now()): boolean {
    if (now < this.dueAt) return false;
    this.dueAt = now + this.intervalMs;
    this.intervalMs = Math.min(MAX_MS, this.intervalMs * 2);
    return true;
  }
}
