import { DataSource } from 'typeorm';

/** Any fixed number; it only has to differ from other applications' advisory locks in the same database. */
const LOCK_KEY = 7_241_906_335;
const WAIT = '60s';

/**
 * Runs `work` while this process alone, of all that start on the database, holds the start-up lock. The lock belongs to
 * a connection of its own, so it ends with the process, however that ends.
 */
export async function withStartupLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.connect();
    await runner.query(`SET lock_timeout = '${WAIT}'`);
    await runner.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    try {
      return await work();
    } finally {
      // Where the connection is gone the lock is, too; what became of the work is what counts.
      await runner.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY]).catch(() => undefined);
    }
  } finally {
    await runner.release();
  }
}
