import { performance } from 'node:perf_hooks';
import { DataSource, EntityManager } from 'typeorm';
import { isSerializationConflict } from './database-errors';
import { Transactions } from './transactions';

/** Pause after a failure of a replica. */
const REST_MS = 5_000;

export interface ReplicaListener {
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
}

/** A replica of the database; while it is unavailable, others are used. */
class Replica {
  private pausedUntil = -Infinity;
  private opening: Promise<unknown> | undefined;

  constructor(
    private readonly source: DataSource,
    private readonly listener: ReplicaListener,
    private readonly now: () => number,
  ) {}

  /** Returns the entity manager if the replica may be used now. Opens a closed replica in the background. */
  lend(): EntityManager | undefined {
    if (this.opening || this.now() < this.pausedUntil) return undefined;
    if (this.source.isInitialized) return this.source.manager;
    void this.open();
    return undefined;
  }

  /** Never rejects: a failed attempt is repeated later. */
  async open(): Promise<void> {
    this.opening ??= this.source.initialize().catch((error: unknown) => {
      this.failed(error);
    });
    await this.opening;
    this.opening = undefined;
  }

  failed(error: unknown): void {
    if (this.pausedUntil === -Infinity) this.listener.onAway(error);
    this.pausedUntil = this.now() + REST_MS;
  }

  answered(): void {
    if (this.pausedUntil === -Infinity) return;
    this.pausedUntil = -Infinity;
    this.listener.onBack();
  }
}

/**
 * Reads lists from replicas in turn, since lists may lag behind. Never use it for decisions or for data that is cached.
 */
export class Replicas {
  private readonly replicas: readonly Replica[];
  private next = 0;

  constructor(
    sources: readonly DataSource[],
    private readonly transactions: Transactions,
    listener: ReplicaListener,
    /** A monotonic clock in milliseconds. */
    now: () => number = () => performance.now(),
  ) {
    this.replicas = sources.map((source) => new Replica(source, listener, now));
  }

  async open(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.open()));
  }

  /**
   * Reads from a replica. In a transaction, and if no replica is available or the read fails, reads from the database,
   * which throws if the query itself is wrong.
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
      // 40001: replaying changes removed the rows that were being read, which is no failure of the replica.
      if (!isSerializationConflict(error)) replica.failed(error);
      return result;
    }
  }

  private lend(): { replica: Replica; manager: EntityManager } | undefined {
    for (let asked = 0; asked < this.replicas.length; asked++) {
      this.next = (this.next + 1) % this.replicas.length;
      const replica = this.replicas[this.next];
      const manager = replica?.lend();
      if (replica && manager) return { replica, manager };
    }
    return undefined;
  }
}
