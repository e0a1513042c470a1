import { platformErrors } from '../errors';

interface Counter {
  readonly sum: number;
  readonly expiresAt: number;
}

const SWEEP_PAUSE_MS = 1_000;
const RETRY_SECONDS = 60;

/**
 * In-memory counters. Live counters are never evicted, or a client that creates many could erase the failures and locks
 * of all users; a full store rejects new ones.
 */
export class Counters {
  private readonly counters = new Map<string, Counter>();
  private sweptAt = -Infinity;

  constructor(
    private readonly max: number,
    private readonly now: () => number,
  ) {}

  find(key: string): Counter | undefined {
    const counter = this.counters.get(key);
    if (!counter || counter.expiresAt > this.now()) return counter;
    this.counters.delete(key);
    return undefined;
  }

  /** Returns the new sum; a counter that falls to 0 is deleted. Errors: `unavailable` for a new counter when full. */
  add(key: string, by: number, lifetimeMs: number): number {
    const there = this.find(key);
    const sum = Math.max(0, (there?.sum ?? 0) + by);
    if (sum === 0) this.counters.delete(key);
    else if (there) this.counters.set(key, { ...there, sum });
    else if (this.hasRoom()) this.counters.set(key, { sum, expiresAt: this.now() + lifetimeMs });
    else throw platformErrors.unavailable({ retryAfterSeconds: RETRY_SECONDS });
    return sum;
  }

  /** Takes over a sum from another store if there is room; a known counter keeps its expiry. */
  adopt(key: string, sum: number, lifetimeMs: number): void {
    const there = this.find(key);
    if (sum <= 0) this.counters.delete(key);
    else if (there) this.counters.set(key, { ...there, sum });
    else if (this.hasRoom()) this.counters.set(key, { sum, expiresAt: this.now() + lifetimeMs });
  }

  delete(key: string): void {
    this.counters.delete(key);
  }

  keys(): IterableIterator<string> {
    return this.counters.keys();
  }

  private hasRoom(): boolean {
    if (this.counters.size >= this.max) this.sweep();
    return this.counters.size < this.max;
  }

  /** Runs at most once per `SWEEP_PAUSE_MS`: while all counters are live, a sweep frees nothing. */
  private sweep(): void {
    const now = this.now();
    if (now - this.sweptAt < SWEEP_PAUSE_MS) return;
    this.sweptAt = now;
    for (const [key, { expiresAt }] of this.counters) if (expiresAt <= now) this.counters.delete(key);
  }
}
