import { Client, ClientConfig, DatabaseError } from 'pg';
import { endsConnection, isOutdatedPlan } from './database-errors';
import { statementName } from './prepared-statement';

type Send = (...args: readonly unknown[]) => Promise<unknown>;

export interface RequestClientConfig extends ClientConfig {
  /** Whether prepared statements last for the connection; with a pooler they may not. */
  readonly keepsPrepared?: boolean;
}

/** Statements that begin or end a transaction. */
const TRANSACTION: Readonly<Record<string, boolean>> = {
  BEGIN: true,
  'START TRANSACTION': true,
  COMMIT: false,
  ROLLBACK: false,
};

/**
 * Whether the pool must not reuse the connection: the reply is still to come, the transaction may still be open or was
 * never begun, or the server is closing the connection.
 */
function isLost(statement: unknown, error: unknown): boolean {
  if (statement === 'BEGIN' || statement === 'ROLLBACK') return true;
  if (error instanceof DatabaseError) return endsConnection(error);
  return error instanceof Error && error.message === 'Query read timeout';
}

/**
 * A connection for requests. Sends the statements of one tick together and returns the results in order. Destroys the
 * socket after a query timeout: `pg` would keep the connection and drop the queued ROLLBACK, so the next request would
 * commit the rest of this transaction.
 */
export class RequestClient extends Client {
  private keepsPrepared: boolean;
  private readonly send: Send;
  private isInTransaction = false;
  private isCorked = false;
  private isEnded = false;
  private last: Promise<unknown> = Promise.resolve();
  private beginning: Promise<unknown> = Promise.resolve();

  constructor(config: RequestClientConfig) {
    super(config);
    this.keepsPrepared = config.keepsPrepared ?? false;
    // The failed query reports the error; without a listener, Node would end the process.
    this.on('error', () => undefined);
    this.once('end', () => {
      this.isEnded = true;
    });
    const send = this.query.bind(this) as unknown as Send;
    this.send = this.pipeline ? (...args) => this.sendTogether(send, args) : (...args) => this.sendInTurn(send, args);
    this.query = (async (...args: readonly unknown[]): Promise<unknown> => {
      try {
        return await this.sendPrepared(args);
      } catch (error) {
        if (isLost(args[0], error)) await this.destroySocket();
        throw error;
      }
    }) as unknown as Client['query'];
  }

  /** Sends the statements of one tick in one write. */
  private sendTogether(send: Send, args: readonly unknown[]): Promise<unknown> {
    if (!this.isCorked) {
      const { stream } = this.connection;
      this.isCorked = true;
      stream.cork();
      process.nextTick(() => {
        this.isCorked = false;
        stream.uncork();
      });
    }
    return send(...args);
  }

  /** Sends one statement at a time, for poolers. */
  private sendInTurn(send: Send, args: readonly unknown[]): Promise<unknown> {
    const { beginning } = this;
    // Sends nothing after a failed BEGIN.
    const answer = this.last.then(() => beginning).then(() => send(...args));
    if (args[0] === 'BEGIN') this.beginning = answer;
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async sendPrepared(args: readonly unknown[]): Promise<unknown> {
    const [text, values] = args;
    this.isInTransaction = TRANSACTION[String(text)] ?? this.isInTransaction;
    const name = this.keepsPrepared && args.length === 2 ? statementName(text) : undefined;
    if (name === undefined) return this.send(...args);
    const isAlone = !this.isInTransaction;
    try {
      return await this.send({ name, text, values });
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      // A migration changed the result type of the statement: use no prepared statements on this connection any more.
      this.keepsPrepared = false;
      // The whole transaction has to be repeated; its end may already have been sent.
      if (!isAlone) throw error;
      return this.send(...args);
    }
  }

  /** Destroys the socket and resolves once the pool sees the connection as ended. */
  private async destroySocket(): Promise<void> {
    if (this.isEnded) return;
    const ended = new Promise<void>((resolve) => {
      this.once('end', resolve);
    });
    this.connection.stream.destroy();
    await ended;
  }
}
