/** Whether TEST_DATABASE_URL names a PostgreSQL server. Otherwise tests use the embedded database. */
export const hasServer = process.env['TEST_DATABASE_URL'] !== undefined;

/**
 * `it` for behaviour that only a server shows: concurrent transactions, a second process, production; or that does not
 * depend on the database and starts processes. With the embedded database it skips and prints the reason.
 */
export function itOnServer(name: string, test: jest.ProvidesCallback): void {
  if (!hasServer) process.stdout.write(`TEST_DATABASE_URL is not set; skipped: ${name}\n`);
  (hasServer ? it : it.skip)(name, test);
}

/** Query for use within a transaction. Returns a row while another transaction waits for this one. */
export const WAITING_FOR_US = 'SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid';

/** Returns a row while any session of this database waits for a lock. */
export const SOMEBODY_WAITS = `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE NOT granted AND datname = current_database()`;
/** Takes the permission lock until the transaction ends. */
export const HOLD_AUTHORITY = `SELECT 1 FROM role WHERE scope = 'iam' AND name = 'admin' FOR NO KEY UPDATE`;
