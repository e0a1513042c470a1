import { availableParallelism } from 'node:os';
import { platformErrors } from '../errors';

export interface HashingQueueOptions {
  /** Jobs that run at one time; the number of cores unless told. */
  readonly concurrency?: number;
  /** Jobs that may wait for a place; 256 unless told. */
  readonly maxWaiting?: number;
  /** Milliseconds a job waits at most; 3,000 unless told. */
  readonly maxWaitMs?: number;
}

interface Waiter {
  readonly admit: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Bounds the processor and memory that password hashing takes: first come, first served, a full queue or a long wait
 * is `unavailable` (503 with Retry-After) and the job is never started.
 */
export class HashingQueue {
  private readonly concurrency: number;
  private readonly maxWaiting: number;
  private readonly maxWaitMs: number;
  private readonly waiters = new Set<Waiter>();
  private active = 0;
  private refusals = 0;
  /** Called with the seconds that a job waited for its place, zero among them. */
  onPlace: (seconds: number) => void = () => undefined;

  constructor(options: HashingQueueOptions = {}) {
    this.concurrency = options.concurrency ?? availableParallelism();
    this.maxWaiting = options.maxWaiting ?? 256;
    this.maxWaitMs = options.maxWaitMs ?? 3_000;
    if (!(this.concurrency >= 1)) throw new RangeError('A hashing queue runs at least one job');
  }

  /** Jobs running now. */
  get running(): number {
    return this.active;
  }

  /** Jobs waiting for a place now. */
  get waiting(): number {
    return this.waiters.size;
  }

  /** Jobs refused since the start. */
  get refused(): number {
    return this.refusals;
  }

  /** Runs the job when there is a place for it. Errors: `unavailable`, and whatever the job throws. */
  async run<T>(job: () => Promise<T>): Promise<T> {
    const asked = performance.now();
    await this.enter();
    this.onPlace((performance.now() - asked) / 1_000);
    try {
      return await job();
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.active < this.concurrency) {
      this.active += 1;
      return;
    }
    if (this.waiters.size >= this.maxWaiting) throw this.overloaded();
    await this.waitForPlace();
  }

  private waitForPlace(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiters.delete(waiter);
        reject(this.overloaded());
      }, this.maxWaitMs);
      // A waiter must not keep a process alive that wants to end; the jobs that run do that by themselves.
      timer.unref();
      const waiter: Waiter = { admit: resolve, timer };
      this.waiters.add(waiter);
    });
  }

  private leave(): void {
    const next = this.waiters.values().next().value;
    if (!next) {
      this.active -= 1;
      return;
    }
    // The place is handed on, not given back, so that a newcomer cannot slip in between.
    this.waiters.delete(next);
    clearTimeout(next.timer);
    next.admit();
  }

  private overloaded(): Error {
    this.refusals += 1;
    return platformErrors.unavailable({ retryAfterSeconds: Math.max(1, Math.ceil(this.maxWaitMs / 1_000)) });
  }
}
