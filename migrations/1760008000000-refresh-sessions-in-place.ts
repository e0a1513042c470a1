import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A refresh changes when a session was seen and when it expires. PostgreSQL writes such a row within its page, and no
 * index, where no index knows these columns and the page has room (heap-only tuples).
 */
export class RefreshSessionsInPlace1760008000000 implements MigrationInterface {
  name = 'RefreshSessionsInPlace1760008000000';

  async up(runner: QueryRunner): Promise<void> {
    // Of rows that are there, and of those that the version before this one writes, the cleaner finds out itself.
    await runner.query(`ALTER TABLE session ADD COLUMN purge_at timestamptz(3) NOT NULL DEFAULT now()`);
    await runner.query(`ALTER TABLE session SET (fillfactor = 80)`);
    await runner.query(`CREATE INDEX session_by_purge ON session (purge_at)`);
    await runner.query(`DROP INDEX session_by_expiry`);
    await runner.query(`DROP INDEX session_by_user`);
    await runner.query(`CREATE INDEX session_by_user ON session (user_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX session_by_user`);
    await runner.query(`CREATE INDEX session_by_user ON session (user_id, last_seen_at DESC, id DESC)`);
    await runner.query(`CREATE INDEX session_by_expiry ON session (expires_at)`);
    await runner.query(`ALTER TABLE session RESET (fillfactor)`);
    await runner.query(`ALTER TABLE session DROP COLUMN purge_at`);
  }
}
