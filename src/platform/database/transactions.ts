import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, EntityManager } from 'typeorm';
import { isSerializationConflict } from './database-errors';

type Effect = () => Promise<void> | void;

interface Frame {
  readonly manager: EntityManager;
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

  /** The manager of the running transaction, or the shared one outside any. */
  get manager(): EntityManager {
    return this.ambient.getStore()?.manager ?? this.dataSource.manager;
  }

  /** The rows that a statement answers, of whatever kind it is: TypeORM answers an UPDATE or DELETE with `[rows, count]`. */
  async rows<T = unknown>(sql: string, parameters: unknown[]): Promise<T[]> {
    const answer = await this.manager.query<T[] | [T[], number]>(sql, parameters);
    return Array.isArray(answer[0]) ? answer[0] : (answer as T[]);
  }

  /** How many rows an UPDATE or DELETE touched, also where it returns none of them. */
  async affected(sql: string, parameters: unknown[]): Promise<number> {
    const [, count] = await this.manager.query<[unknown[], number]>(sql, parameters);
    return count;
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

  private attempt<T>(work: () => Promise<T>, effects: Effects): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      if (this.opening !== undefined) await manager.query(this.opening);
      return this.ambient.run({ manager, effects }, async () => {
        const value = await work();
        for (const effect of effects.beforeCommit) await effect();
        return value;
      });
    });
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
