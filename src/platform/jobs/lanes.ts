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

interface Waiting {
  readonly name: string;
  begin(): void;
}

/** Runs so much work at once, and less of one name: what is slow under one leaves room for the others. */
export class Lanes {
  private readonly running = new Map<string, number>();
  private total = 0;
  private readonly waiting: Waiting[] = [];

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
    const before = this.waiting.filter((other) => other.name === name).length;
    if (before >= this.bounds.mostWaitingOfName) throw new LanesFullError();
    return new Promise((resolve) => {
      this.waiting.push({ name, begin: resolve });
    });
  }

  private hasRoom(name: string): boolean {
    return this.total < this.bounds.atOnce && (this.running.get(name) ?? 0) < this.bounds.atOnceOfName;
  }

  private enter(name: string): void {
    this.total++;
    this.running.set(name, (this.running.get(name) ?? 0) + 1);
  }

  private leave(name: string): void {
    this.total--;
    const left = (this.running.get(name) ?? 1) - 1;
    if (left === 0) this.running.delete(name);
    else this.running.set(name, left);
    this.callNext();
  }

  /** The first whose name has room; the place is taken here, so that nobody comes between. */
  private callNext(): void {
    const index = this.waiting.findIndex((next) => this.hasRoom(next.name));
    const [next] = index === -1 ? [] : this.waiting.splice(index, 1);
    if (!next) return;
    this.enter(next.name);
    next.begin();
  }
}
