export interface LaneBounds {
  /** Of all names together. */
  readonly atOnce: number;
  readonly atOnceOfName: number;
  readonly mostWaitingOfName: number;
}

/** More of one name wait already than may. */
export class LanesFullError extends Error {
  constructor() {
    super('Too much of this kind is waiting');
    this.name = 'LanesFullError';
  }
}

type Begin = () => void;

/** Runs so much work at once, and less of one name: what is slow under some leaves room for the others. */
export class Lanes {
  private readonly running = new Map<string, number>();
  private total = 0;
  /** By name; whose turn it was goes to the end. */
  private readonly waiting = new Map<string, Begin[]>();

  constructor(private readonly bounds: LaneBounds) {}

  /** What the work comes to. Errors: `LanesFullError`. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (!this.hasRoom(name)) await this.turn(name);
    else this.enter(name);
    try {
      return await work();
    } finally {
      this.leave(name);
    }
  }

  private turn(name: string): Promise<void> {
    const before = this.waiting.get(name) ?? [];
    if (before.length >= this.bounds.mostWaitingOfName) throw new LanesFullError();
    return new Promise((resolve) => {
      before.push(resolve);
      this.waiting.set(name, before);
    });
  }

  private hasRoom(name: string): boolean {
    return this.total < this.bounds.atOnce && this.runningOf(name) < this.bounds.atOnceOfName;
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
   * The name of which the least runs: were it the first that waits, names that hang would hand all places to one another.
   * The place is taken here, so that nobody comes between.
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
