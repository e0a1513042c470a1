import { availableParallelism } from 'node:os';
import { platformErrors } from '../errors';

export interface HashingQueueOptions {
  /** Jobs that run in parallel. Default: the number of cores. */
  readonly concurrency?: number;
  /** Jobs that may wait. Default: 256. */
  readonly maxWaiting?: number;
  /** Longest wait of a job in milliseconds. Default: 3,000. */
  readonly maxWaitMs?: number;
}

interface Waiter {
  readonly admit: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Limits the CPU and memory of password hashing, first come, first served. If the queue is full or the wait too long,
 * the job never starts and fails with `unavailable` (503 with Retry-After).
 */
export class HashingQueue {
  private readonly concurrency: number;
  private readonly maxWaiting: number;
  private readonly maxWaitMs: number;
  private readonly waiters = new Set<Waiter>();
  private active = 0;
  private rejections = 0;
  /** Called with the seconds that each job waited, including zero. */
  onPlace: (seconds: number) => void = () => undefined;

  constructor(options: HashingQueueOptions = {}) {
    this.concurrency = options.concurrency ?? availableParallelism();
    this.maxWaiting = options.maxWaiting ?? 256;
    this.maxWaitMs = options.maxWaitMs ?? 3_000;
    if (!(this.concurrency >= 1)) throw new RangeError('A hashing queue runs at least one job');
  }

  /** Running jobs. */
  get running(): number {
    return this.active;
  }

  /** Waiting jobs. */
  get waiting(): number {
    return this.waiters.size;
  }

  /** Jobs rejected since the start. */
  get rejected(): number {
    return this.rejections;
  }

  /** Runs the job as soon as the queue admits it. Errors: `unavailable`, and those of the job. */
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
      // A waiting job must not keep the process alive.
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
    // Hands the place to the next waiter, so that a new job cannot take it first.
    this.waiters.delete(next);
    clearTimeout(next.timer);
    next.admit();
  }

  private overloaded(): Error {
    this.rejections += 1;
    return platformErrors.unavailable({ retryAfterSeconds: Math.max(1, Math.ceil(this.maxWaitMs / 1_000)) });
  }
}
