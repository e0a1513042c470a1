import { Client, ClientConfig, DatabaseError } from 'pg';
import { endsConnection, isOutdatedPlan } from './database-errors';
import { preparedName } from './prepared';

type Ask = (...args: readonly unknown[]) => Promise<unknown>;

export interface RequestClientConfig extends ClientConfig {
  /** Whether the server keeps what a connection prepares; a pooler may not. */
  readonly keepsPrepared?: boolean;
}

/** What a connection's transaction begins and ends with; whether it has one is known when a statement is sent. */
const TRANSACTION: Readonly<Record<string, boolean>> = {
  BEGIN: true,
  'START TRANSACTION': true,
  COMMIT: false,
  ROLLBACK: false,
};

/**
 * What the pool must not lend again: the answer is still to come, the transaction may still be open, or was never begun and
 * what follows would stand by itself; or the other side is about to hang up, and has said so.
 */
function isLost(statement: unknown, error: unknown): boolean {
  if (statement === 'BEGIN' || statement === 'ROLLBACK') return true;
  if (error instanceof DatabaseError) return endsConnection(error);
  return error instanceof Error && error.message === 'Query read timeout';
}

/**
 * A connection for requests. Statements that are asked together travel together, and are answered in their order. One that
 * was given up waiting for is cut off: `pg` would go on with it as if nothing were, and drop the ROLLBACK that waits behind
 * the statement, so the next request would commit what this one left.
 */
export class RequestClient extends Client {
  private keepsPrepared: boolean;
  private readonly ask: Ask;
  private isInTransaction = false;
  private isHeldBack = false;
  private isGone = false;
  private last: Promise<unknown> = Promise.resolve();
  private beginning: Promise<unknown> = Promise.resolve();

  constructor(config: RequestClientConfig) {
    super(config);
    this.keepsPrepared = config.keepsPrepared ?? false;
    // Whoever asks is told by the failed query; without a listener Node would end the process.
    this.on('error', () => undefined);
    this.once('end', () => {
      this.isGone = true;
    });
    const ask = this.query.bind(this) as unknown as Ask;
    this.ask = this.pipeline ? (...args) => this.together(ask, args) : (...args) => this.inTurn(ask, args);
    this.query = (async (...args: readonly unknown[]): Promise<unknown> => {
      try {
        return await this.askPrepared(args);
      } catch (error) {
        if (isLost(args[0], error)) await this.cut();
        throw error;
      }
    }) as unknown as Client['query'];
  }

  /** What one turn of the program asks goes out in one piece. */
  private together(ask: Ask, args: readonly unknown[]): Promise<unknown> {
    if (!this.isHeldBack) {
      const { stream } = this.connection;
      this.isHeldBack = true;
      stream.cork();
      process.nextTick(() => {
        this.isHeldBack = false;
        stream.uncork();
      });
    }
    return ask(...args);
  }

  /** A pooler gets one statement at a time. */
  private inTurn(ask: Ask, args: readonly unknown[]): Promise<unknown> {
    const { beginning } = this;
    // Nothing follows a BEGIN that was refused.
    const answer = this.last.then(() => beginning).then(() => ask(...args));
    if (args[0] === 'BEGIN') this.beginning = answer;
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async askPrepared(args: readonly unknown[]): Promise<unknown> {
    const [text, values] = args;
    this.isInTransaction = TRANSACTION[String(text)] ?? this.isInTransaction;
    const name = this.keepsPrepared && args.length === 2 ? preparedName(text) : undefined;
    if (name === undefined) return this.ask(...args);
    const isAlone = !this.isInTransaction;
    try {
      return await this.ask({ name, text, values });
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      // A migration has changed what a statement answers; this connection prepares no more.
      this.keepsPrepared = false;
      // The whole transaction is to be repeated; by now its end may be on its way.
      if (!isAlone) throw error;
      return this.ask(...args);
    }
  }

  /** Resolves when the pool can see that the connection is gone. */
  private async cut(): Promise<void> {
    if (this.isGone) return;
    const ended = new Promise<void>((resolve) => {
      this.once('end', resolve);
    });
    this.connection.stream.destroy();
    await ended;
  }
}
