import { Client, ClientConfig } from 'pg';
import { isOutdatedPlan } from './database-errors';
import { preparedName } from './prepared';

type Ask = (...args: readonly unknown[]) => Promise<unknown>;

export interface RequestClientConfig extends ClientConfig {
  /** Whether the server keeps what a connection prepares; a pooler may not. */
  readonly keepsPrepared?: boolean;
}

/** What the pool must not lend again: the answer is still to come, or the transaction may still be open. */
function isLost(statement: unknown, error: unknown): boolean {
  return statement === 'ROLLBACK' || (error instanceof Error && error.message === 'Query read timeout');
}

/**
 * A connection for requests. One that was given up waiting for is cut off: `pg` would go on with it as if nothing were,
 * and drop the ROLLBACK that waits behind the statement, so the next request would commit what this one left.
 */
export class RequestClient extends Client {
  private keepsPrepared: boolean;
  private readonly ask: Ask;

  constructor(config: RequestClientConfig) {
    super(config);
    this.keepsPrepared = config.keepsPrepared ?? false;
    // Whoever asks is told by the failed query; without a listener Node would end the process.
    this.on('error', () => undefined);
    this.ask = this.query.bind(this);
    this.query = (async (...args: readonly unknown[]): Promise<unknown> => {
      try {
        return await this.askPrepared(args);
      } catch (error) {
        if (isLost(args[0], error)) await this.cut();
        throw error;
      }
    }) as unknown as Client['query'];
  }

  private async askPrepared(args: readonly unknown[]): Promise<unknown> {
    const [text, values] = args;
    const name = this.keepsPrepared && args.length === 2 ? preparedName(text) : undefined;
    if (name === undefined) return this.ask(...args);
    try {
      return await this.ask({ name, text, values });
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      return this.askAnew(args, error);
    }
  }

  /** A migration has changed what a statement answers; this connection prepares no more. In a transaction that is its end. */
  private async askAnew(args: readonly unknown[], outdated: unknown): Promise<unknown> {
    this.keepsPrepared = false;
    try {
      return await this.ask(...args);
    } catch {
      throw outdated;
    }
  }

  /** Resolves when the pool can see that the connection is gone. */
  private async cut(): Promise<void> {
    const { stream } = this.connection;
    if (stream.destroyed) return;
    const ended = new Promise<void>((resolve) => {
      this.once('end', resolve);
    });
    stream.destroy();
    await ended;
  }
}
