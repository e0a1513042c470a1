import { Client } from 'pg';

const EVERY_MS = 2_000;

/** Marks a database that its test has finished with. `FinishedDatabases` drops it. */
export const finishing = (name: string): string => `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`;

/**
 * Drops databases in the process that starts the workers. Each takes a checkpoint, in which the server waits for its
 * disk, so no test waits for it.
 */
export class FinishedDatabases {
  private isDropping = false;
  private readonly timer: NodeJS.Timeout;
  private dropped = Promise.resolve();

  /** @param template its copies are named after it */
  constructor(
    private readonly url: string,
    private readonly template: string,
  ) {
    this.timer = setInterval(() => {
      if (this.isDropping) return;
      this.isDropping = true;
      this.dropped = this.drop('AND NOT datallowconn')
        // Those that are left are dropped at the end.
        .catch(() => undefined)
        .finally(() => (this.isDropping = false));
    }, EVERY_MS);
    this.timer.unref();
  }

  /** Drops what is left, also of workers that were killed. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.dropped;
    await this.drop();
  }

  private async drop(condition = ''): Promise<void> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<{ datname: string }>(
        `SELECT datname FROM pg_database WHERE starts_with(datname, $1) ${condition}`,
        [`${this.template}_`],
      );
      for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
    } finally {
      await client.end();
    }
  }
}
