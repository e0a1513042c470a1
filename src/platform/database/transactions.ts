import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, EntityManager } from 'typeorm';
import { askPool, QueryAnswer } from './connection';
import { isSerializationConflict } from './database-errors';
import { OpenTransaction, Plain } from './open-transaction';

type Effect = () => Promise<void> | void;

interface Frame {
  readonly transaction: OpenTransaction;
  readonly effects: Effects;
}

interface Effects {
  readonly beforeCommit: Effect[];
  readonly afterCommit: Effect[];
  readonly afterRollback: Effect[];
}

const MAX_ATTEMPTS = 3;

/**
 * The unit of work. Only services open one; whatever they call joins it through the ambient frame, so that no query
 * runs beside its transaction by a forgotten parameter.
 */
export class Transactions {
  private readonly ambient = new AsyncLocalStorage<Frame>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly onEffectFailure: (error: unknown) => void,
    /** A statement that each transaction begins with. */
    private readonly opening?: string,
  ) {}

  /** Runs `work` in one transaction; nested calls join. A deadlock or serialization failure repeats the whole of it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.ambient.getStore()) return work();
    for (let attempt = 1; ; attempt++) {
      const effects: Effects = { beforeCommit: [], afterCommit: [], afterRollback: [] };
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

  /** Runs `work`, a single statement, under the limits of time, which behind a pooler takes a transaction. */
  runLimited<T>(work: () => Promise<T>): Promise<T> {
    return this.opening === undefined ? work() : this.run(work);
  }

  /** The manager of the running transaction, or the shared one outside any. */
  get manager(): EntityManager {
    return this.ambient.getStore()?.transaction.manager ?? this.dataSource.manager;
  }

  /** The rows that a statement answers, of whatever kind it is. */
  async rows<T = unknown>(sql: string, parameters: readonly unknown[]): Promise<T[]> {
    return (await this.ask<T>(sql, parameters)).rows;
  }

  /** How many rows an UPDATE or DELETE touched, also where it returns none of them. */
  async affected(sql: string, parameters: readonly unknown[]): Promise<number> {
    return (await this.ask(sql, parameters)).rowCount ?? 0;
  }

  /** In a transaction nobody waits for it: it travels with what comes next, and where it fails, the commit does. */
  async write(sql: string, parameters: readonly Plain[]): Promise<void> {
    const frame = this.ambient.getStore();
    if (frame) frame.transaction.write(sql, parameters);
    else await this.ask(sql, parameters);
  }

  get isOpen(): boolean {
    return this.ambient.getStore() !== undefined;
  }

  /** Runs `effect` as the last step before the commit; what it throws rolls back. Outside a transaction: at once. */
  async beforeCommit(effect: Effect): Promise<void> {
    const frame = this.ambient.getStore();
    if (frame) frame.effects.beforeCommit.push(effect);
    else await effect();
  }

  /** Runs `effect` once the commit is acknowledged; a failure is logged, for the act itself stands. Outside: at once. */
  async afterCommit(effect: Effect): Promise<void> {
    const frame = this.ambient.getStore();
    if (frame) frame.effects.afterCommit.push(effect);
    else await effect();
  }

  /**
   * Runs `effect` once the transaction has failed for good, outside of it: for what must be known although nothing came of
   * the act. A failure is logged, and the act's own error is what the caller sees.
   */
  afterRollback(effect: Effect): void {
    const frame = this.ambient.getStore();
    if (!frame) throw new Error('There is nothing to roll back outside a transaction');
    frame.effects.afterRollback.push(effect);
  }

  private async attempt<T>(work: () => Promise<T>, effects: Effects): Promise<T> {
    const transaction = await OpenTransaction.begin(this.dataSource, this.opening);
    try {
      const value = await this.ambient.run({ transaction, effects }, async () => {
        const result = await work();
        for (const effect of effects.beforeCommit) await effect();
        return result;
      });
      await transaction.commit();
      return value;
    } catch (error) {
      throw await transaction.rollBack(error);
    }
  }

  private ask<T>(sql: string, parameters: readonly unknown[]): Promise<QueryAnswer<T>> {
    const frame = this.ambient.getStore();
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
