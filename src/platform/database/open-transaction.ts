import { DataSource, EntityManager } from 'typeorm';
import { Connection, QueryAnswer } from './connection';
import { isConsequence } from './database-errors';

const OVER = 'The transaction is over';

/** Parameters that every connection can encode: a statement that fails before it is sent would not fail the commit. */
export type Plain = string | number | boolean | null;

/**
 * A transaction on its own connection. Statements are sent at once and replied to in order, so BEGIN travels with the
 * first statement, and COMMIT with the last one that no caller awaits.
 */
export class OpenTransaction {
  private readonly pending = new Set<Promise<unknown>>();
  private readonly failures: unknown[] = [];
  /** COMMIT or ROLLBACK has been sent: a later statement would run outside this transaction or in another one. */
  private isClosing = false;

  private constructor(
    private readonly connection: Connection,
    /** TypeORM's entity manager in this transaction. */
    readonly manager: EntityManager,
    private readonly release: () => Promise<void>,
  ) {}

  /** @param opening first statement of the transaction. */
  static async begin(dataSource: DataSource, opening: string | undefined): Promise<OpenTransaction> {
    const runner = dataSource.createQueryRunner();
    const connection = (await runner.connect()) as Connection;
    // State that TypeORM sets when it begins a transaction itself.
    Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
    const transaction = new OpenTransaction(connection, runner.manager, () => runner.release());
    transaction.write('BEGIN');
    if (opening !== undefined) transaction.write(opening);
    return transaction;
  }

  query<T>(sql: string, parameters?: readonly unknown[]): Promise<QueryAnswer<T>> {
    return this.isClosing ? Promise.reject(new Error(OVER)) : this.send<T>(sql, parameters);
  }

  private send<T>(sql: string, parameters?: readonly unknown[]): Promise<QueryAnswer<T>> {
    const answer = this.connection.query<T>(sql, parameters);
    const noted = answer.then(
      () => undefined,
      (error: unknown) => void this.failures.push(error),
    );
    this.pending.add(noted);
    void noted.then(() => this.pending.delete(noted));
    return answer;
  }

  /** Sends a statement without awaiting the result. If it fails, the commit fails. */
  write(sql: string, parameters?: readonly Plain[]): void {
    if (this.isClosing) throw new Error(OVER);
    this.send(sql, parameters).catch(() => undefined);
  }

  async commit(): Promise<void> {
    this.isClosing = true;
    const { command } = await this.send('COMMIT');
    // PostgreSQL replies ROLLBACK to the COMMIT of a failed transaction.
    if (command === 'ROLLBACK' || this.failures.length > 0) {
      throw this.cause(new Error('The transaction was rolled back'));
    }
    await this.release();
  }

  /** Returns the original error of the transaction if `error` only follows from it. */
  async rollBack(error: unknown): Promise<unknown> {
    this.isClosing = true;
    await this.send('ROLLBACK').catch(() => undefined);
    await Promise.all(this.pending);
    await this.release();
    return isConsequence(error) ? this.cause(error) : error;
  }

  private cause(error: unknown): unknown {
    return this.failures.find((failure) => !isConsequence(failure)) ?? error;
  }
}
