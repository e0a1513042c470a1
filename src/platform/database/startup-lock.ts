import { DataSource, QueryRunner } from 'typeorm';
import { StartupError } from '../config';
import { MIGRATION_APPLICATION } from './data-source';
import { isLockTimeout } from './database-errors';

/** Any constant that differs from the advisory locks of other applications in the same database. */
const LOCK_KEY = 7_241_906_335;
const WAIT_SECONDS = 60;

/**
 * Runs `work` under the startup lock, which one process on the database holds at a time. A separate connection holds
 * it, so the lock ends with the process. Errors: `StartupError` if another process holds it for too long.
 */
export async function withStartupLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.connect();
    await takeLock(runner);
    try {
      return await work();
    } finally {
      // A lost connection has already released the lock, and the outcome of the work matters more.
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
    throw new StartupError(
      `Another instance has been preparing the database for more than ${WAIT_SECONDS} s. Start again when it is ready; ` +
        `pg_stat_activity shows its statements under ${MIGRATION_APPLICATION}.`,
      { cause: error },
    );
  }
}
