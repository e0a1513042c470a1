import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, EntityManager } from 'typeorm';
import { askPool, QueryAnswer } from './connection';
import { isSerializationConflict } from './database-errors';
import { OpenTransaction, Plain } from './open-transaction';

type Effect = () => Promise<void> | void;

interface Frame {
  readonly owner: Transactions;
  /** What was open around it: a transaction of another instance, in a process with several. */
  readonly outer: Frame | undefined;
  readonly transaction: OpenTransaction;
  readonly effects: Effects;
}

interface Effects {
  readonly afterCommit: Effect[];
  readonly afterRollback: Effect[];
}

const MAX_ATTEMPTS = 3;

/**
 * One for the process: Node copies every storage to each promise, and keeps the storages of services that have stopped.
 */
const ambient = new AsyncLocalStorage<Frame>();

/**
 * The unit of work. Only services open one. Everything they call joins it through async context, so that no query runs
 * outside the transaction because of a missing parameter.
 */
export class Transactions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly onEffectFailure: (error: unknown) => void,
    /** First statement of each transaction. */
    private readonly opening?: string,
  ) {}

  /**
   * Runs `work` in one transaction; nested calls join it. Repeats the whole after a deadlock or a serialization
   * failure.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.frame) return work();
    for (let attempt = 1; ; attempt++) {
      const effects: Effects = { afterCommit: [], afterRollback: [] };
      try {
        const result = await this.attempt(work, effects);
        await this.runAll(effects.afterCommit);
        return result;
      } catch (error) {
        if (attempt < MAX_ATTEMPTS && isSerializationConflict(error)) continue;
        await this.runAll(effects.afterRollback);
        throw error;
      }
    }
  }

  /** Runs a single statement within the time limits; with a pooler, this requires a transaction. */
  runLimited<T>(work: () => Promise<T>): Promise<T> {
    return this.opening === undefined ? work() : this.run(work);
  }

  /** The entity manager of the running transaction, or the shared one outside of a transaction. */
  get manager(): EntityManager {
    return this.frame?.transaction.manager ?? this.dataSource.manager;
  }

  /** Returns the rows of a statement of any kind. */
  async rows<T = unknown>(sql: string, parameters: readonly unknown[]): Promise<T[]> {
    return (await this.query<T>(sql, parameters)).rows;
  }

  /** Returns the number of rows that an UPDATE or DELETE changed. */
  async affected(sql: string, parameters: readonly unknown[]): Promise<number> {
    return (await this.query(sql, parameters)).rowCount ?? 0;
  }

  /** In a transaction, sends the statement without awaiting it: if it fails, the commit fails. */
  async write(sql: string, parameters: readonly Plain[]): Promise<void> {
    const frame = this.frame;
    if (frame) frame.transaction.write(sql, parameters);
    else await this.query(sql, parameters);
  }

  get isOpen(): boolean {
    return this.frame !== undefined;
  }

  /**
   * Runs `effect` after the commit; errors are logged, because the change is committed. Outside a transaction, runs it
   * at once.
   */
  async afterCommit(effect: Effect): Promise<void> {
    const frame = this.frame;
    if (frame) frame.effects.afterCommit.push(effect);
    else await effect();
  }

  /**
   * Runs `effect` after the transaction has finally failed and outside of it, for facts to record although nothing was
   * changed. An error is logged; the caller gets the error of the transaction.
   */
  afterRollback(effect: Effect): void {
    const frame = this.frame;
    if (!frame) throw new Error('There is nothing to roll back outside a transaction');
    frame.effects.afterRollback.push(effect);
  }

  private async attempt<T>(work: () => Promise<T>, effects: Effects): Promise<T> {
    const transaction = await OpenTransaction.begin(this.dataSource, this.opening);
    try {
      const value = await ambient.run({ owner: this, outer: ambient.getStore(), transaction, effects }, work);
      await transaction.commit();
      return value;
    } catch (error) {
      throw await transaction.rollBack(error);
    }
  }

  private get frame(): Frame | undefined {
    let frame = ambient.getStore();
    while (frame && frame.owner !== this) frame = frame.outer;
    return frame;
  }

  private query<T>(sql: string, parameters: readonly unknown[]): Promise<QueryAnswer<T>> {
    const frame = this.frame;
    return frame ? frame.transaction.query<T>(sql, parameters) : askPool<T>(this.dataSource, sql, parameters);
  }

  private async runAll(effects: readonly Effect[]): Promise<void> {
    for (const effect of effects) await this.runEffect(effect);
  }

  private async runEffect(effect: Effect): Promise<void> {
    try {
      await effect();
    } catch (error) {
      this.onEffectFailure(error);
    }
  }
}
