import { performance } from 'node:perf_hooks';
import { DataSource, EntityManager } from 'typeorm';
import { isSerializationConflict } from './database-errors';
import { Transactions } from './transactions';

/** How long a replica that failed is left alone. */
const REST_MS = 5_000;

export interface ReplicaNews {
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
}

/** A copy of the database that follows it; while it is away others are asked. */
class Replica {
  private restsUntil = -Infinity;
  private opening: Promise<unknown> | undefined;

  constructor(
    private readonly source: DataSource,
    private readonly news: ReplicaNews,
    private readonly now: () => number,
  ) {}

  /** By which the replica may be asked now, if it may; one that is not open yet is opened for later. */
  lend(): EntityManager | undefined {
    if (this.opening || this.now() < this.restsUntil) return undefined;
    if (this.source.isInitialized) return this.source.manager;
    void this.open();
    return undefined;
  }

  /** Never fails: what cannot be opened now is tried again. */
  async open(): Promise<void> {
    this.opening ??= this.source.initialize().catch((error: unknown) => {
      this.failed(error);
    });
    await this.opening;
    this.opening = undefined;
  }

  failed(error: unknown): void {
    if (this.restsUntil === -Infinity) this.news.onAway(error);
    this.restsUntil = this.now() + REST_MS;
  }

  answered(): void {
    if (this.restsUntil === -Infinity) return;
    this.restsUntil = -Infinity;
    this.news.onBack();
  }
}

/**
 * Where lists are read, which need not be of this very moment: replicas in turn. What decides something, or is remembered,
 * never comes from one.
 */
export class Replicas {
  private readonly replicas: readonly Replica[];
  private turn = 0;

  constructor(
    sources: readonly DataSource[],
    private readonly transactions: Transactions,
    news: ReplicaNews,
    /** A monotonic clock in milliseconds. */
    now: () => number = () => performance.now(),
  ) {
    this.replicas = sources.map((source) => new Replica(source, news, now));
  }

  async open(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.open()));
  }

  /**
   * Reads something whole: from a replica or, in a transaction and where no replica answers, from the database itself,
   * which fails by itself where the question is wrong.
   */
  async read<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const lent = this.transactions.isOpen ? undefined : this.lend();
    if (!lent) return work(this.transactions.manager);
    const { replica, manager } = lent;
    try {
      const result = await work(manager);
      replica.answered();
      return result;
    } catch (error) {
      const result = await work(this.transactions.manager);
      // 40001: what the replica had to replay took the rows that were being read. Anything else is its own fault.
      if (!isSerializationConflict(error)) replica.failed(error);
      return result;
    }
  }

  private lend(): { replica: Replica; manager: EntityManager } | undefined {
    for (let asked = 0; asked < this.replicas.length; asked++) {
      this.turn = (this.turn + 1) % this.replicas.length;
      const replica = this.replicas[this.turn];
      const manager = replica?.lend();
      if (replica && manager) return { replica, manager };
    }
    return undefined;
  }
}
