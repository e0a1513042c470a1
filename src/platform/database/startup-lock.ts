import { DataSource, QueryRunner } from 'typeorm';
import { StartRefusedError } from '../config';
import { MIGRATION_APPLICATION } from './data-source';
import { isLockTimeout } from './database-errors';

/** Any fixed number; it only has to differ from other applications' advisory locks in the same database. */
const LOCK_KEY = 7_241_906_335;
const WAIT_SECONDS = 60;

/**
 * Runs `work` while this process alone, of all that start on the database, holds the start-up lock. The lock belongs to
 * a connection of its own, so it ends with the process, however that ends. Errors: `StartRefusedError` where another process
 * holds it for longer than anybody waits.
 */
export async function withStartupLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.connect();
    await takeLock(runner);
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

async function takeLock(runner: QueryRunner): Promise<void> {
  await runner.query(`SET lock_timeout = '${WAIT_SECONDS}s'`);
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new StartRefusedError(
      `Another instance has been preparing the database for more than ${WAIT_SECONDS} s. Start again when it is ready; ` +
        `what it does stands in pg_stat_activity under ${MIGRATION_APPLICATION}.`,
      { cause: error },
    );
  }
}
