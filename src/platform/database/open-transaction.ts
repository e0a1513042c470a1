import { DataSource, EntityManager } from 'typeorm';
import { Connection, QueryAnswer } from './connection';
import { isConsequence } from './database-errors';

const OVER = 'The transaction is over';

/** What any connection can send: a statement that never left the program would not keep its transaction from the commit. */
export type Plain = string | number | boolean | null;

/**
 * A transaction on a connection of its own. Statements are sent at once and answered in their order, so BEGIN travels with
 * the first of them, and COMMIT with the last that nobody waits for.
 */
export class OpenTransaction {
  private readonly unanswered = new Set<Promise<unknown>>();
  private readonly failures: unknown[] = [];
  /** Its end is on its way: what came now would stand by itself, or be in somebody else's transaction. */
  private isClosing = false;

  private constructor(
    private readonly connection: Connection,
    /** For what TypeORM does in the transaction. */
    readonly manager: EntityManager,
    private readonly release: () => Promise<void>,
  ) {}

  /** @param opening a statement that the transaction begins with. */
  static async begin(dataSource: DataSource, opening: string | undefined): Promise<OpenTransaction> {
    const runner = dataSource.createQueryRunner();
    const connection = (await runner.connect()) as Connection;
    // What TypeORM would note of a transaction that it began itself.
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
    this.unanswered.add(noted);
    void noted.then(() => this.unanswered.delete(noted));
    return answer;
  }

  /** A statement whose answer nobody waits for: where it fails, the commit does. */
  write(sql: string, parameters?: readonly Plain[]): void {
    if (this.isClosing) throw new Error(OVER);
    this.send(sql, parameters).catch(() => undefined);
  }

  async commit(): Promise<void> {
    this.isClosing = true;
    const { command } = await this.send('COMMIT');
    // PostgreSQL's answer to a COMMIT after a statement that failed.
    if (command === 'ROLLBACK' || this.failures.length > 0) {
      throw this.cause(new Error('The transaction was rolled back'));
    }
    await this.release();
  }

  /** Answers what the transaction failed of, where `error` only follows from that. */
  async rollBack(error: unknown): Promise<unknown> {
    this.isClosing = true;
    await this.send('ROLLBACK').catch(() => undefined);
    await Promise.all(this.unanswered);
    await this.release();
    return isConsequence(error) ? this.cause(error) : error;
  }

  private cause(error: unknown): unknown {
    return this.failures.find((failure) => !isConsequence(failure)) ?? error;
  }
}
