/** Whether the run names a PostgreSQL server; without one the embedded database serves. */
export const hasServer = process.env['TEST_DATABASE_URL'] !== undefined;

/**
 * `it` of what only a server shows: two transactions that meet, a second process, production. On the embedded database,
 * which has one session, it skips and says why.
 */
export function itOnServer(name: string, test: () => Promise<void>): void {
  if (!hasServer) process.stdout.write(`TEST_DATABASE_URL is not set; skipped: ${name}\n`);
  (hasServer ? it : it.skip)(name, test);
}

/** Asked within a transaction: a row while somebody waits for it to end. */
export const WAITING_FOR_US = 'SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid';

/** Asked while somebody waits for another in this database: a row. */
export const SOMEBODY_WAITS = `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE NOT granted AND datname = current_database()`;
/** Taken in a transaction: one act at a time of those that ask who may do what. */
export const HOLD_AUTHORITY = `SELECT 1 FROM role WHERE scope = 'iam' AND name = 'admin' FOR NO KEY UPDATE`;
