import { Client, ClientConfig } from 'pg';

type Ask = (...args: readonly unknown[]) => Promise<unknown>;

/** What the pool must not lend again: the answer is still to come, or the transaction may still be open. */
function isLost(statement: unknown, error: unknown): boolean {
  return statement === 'ROLLBACK' || (error instanceof Error && error.message === 'Query read timeout');
}

/**
 * A connection for requests. One that was given up waiting for is cut off: `pg` would go on with it as if nothing were,
 * and drop the ROLLBACK that waits behind the statement, so the next request would commit what this one left.
 */
export class RequestClient extends Client {
  constructor(config: ClientConfig) {
    super(config);
    // Whoever asks is told by the failed query; without a listener Node would end the process.
    this.on('error', () => undefined);
    const ask = this.query.bind(this) as unknown as Ask;
    this.query = (async (...args: readonly unknown[]): Promise<unknown> => {
      try {
        return await ask(...args);
      } catch (error) {
        if (isLost(args[0], error)) await this.cut();
        throw error;
      }
    }) as unknown as Client['query'];
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
