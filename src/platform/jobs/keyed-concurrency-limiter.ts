export interface ConcurrencyLimits {
  /** Across all keys. */
  readonly maxRunning: number;
  readonly maxRunningPerKey: number;
  readonly maxWaitingPerKey: number;
}

/** Too much work already waits for the key. */
export class ConcurrencyLimitError extends Error {
  constructor() {
    super('Too much work is waiting for this key');
    this.name = 'ConcurrencyLimitError';
  }
}

type Begin = () => void;

/** Limits parallel work in total and per key, so that slow keys leave room for the others. */
export class KeyedConcurrencyLimiter {
  private readonly running = new Map<string, number>();
  private total = 0;
  /** Waiting work by key; the key served last moves to the end. */
  private readonly waiting = new Map<string, Begin[]>();

  constructor(private readonly limits: ConcurrencyLimits) {}

  /** Returns the result of `work`. Errors: `ConcurrencyLimitError`. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (!this.hasRoom(name)) await this.waitForTurn(name);
    else this.enter(name);
    try {
      return await work();
    } finally {
      this.leave(name);
    }
  }

  private waitForTurn(name: string): Promise<void> {
    const before = this.waiting.get(name) ?? [];
    if (before.length >= this.limits.maxWaitingPerKey) throw new ConcurrencyLimitError();
    return new Promise((resolve) => {
      before.push(resolve);
      this.waiting.set(name, before);
    });
  }

  private hasRoom(name: string): boolean {
    return this.total < this.limits.maxRunning && this.runningOf(name) < this.limits.maxRunningPerKey;
  }

  private runningOf(name: string): number {
    return this.running.get(name) ?? 0;
  }

  private enter(name: string): void {
    this.total++;
    this.running.set(name, this.runningOf(name) + 1);
  }

  private leave(name: string): void {
    this.total--;
    const left = this.runningOf(name) - 1;
    if (left === 0) this.running.delete(name);
    else this.running.set(name, left);
    this.callNext();
  }

  /**
   * Picks the key with the least running work: picking the first would let hanging keys pass all places to each other.
   * Takes the place synchronously, so that no other caller gets it.
   */
  private callNext(): void {
    const [name] = [...this.waiting.keys()]
      .filter((each) => this.hasRoom(each))
      .sort((one, other) => this.runningOf(one) - this.runningOf(other));
    if (name === undefined) return;
    const [begin, ...others] = this.waiting.get(name) ?? [];
    this.waiting.delete(name);
    if (others.length > 0) this.waiting.set(name, others);
    this.enter(name);
    begin?.();
  }
}
