import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Removes the last indexes that a refresh would have to update. */
export class RefreshSessionsInPlace1760008000200 implements MigrationInterface {
  name = 'RefreshSessionsInPlace1760008000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX session_by_expiry`);
    await runner.query(`DROP INDEX session_by_user`);
    await runner.query(`ALTER INDEX session_of_user RENAME TO session_by_user`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER INDEX session_by_user RENAME TO session_of_user`);
    await runner.query(`CREATE INDEX session_by_user ON session (user_id, last_seen_at DESC, id DESC)`);
    await runner.query(`CREATE INDEX session_by_expiry ON session (expires_at)`);
  }
}
