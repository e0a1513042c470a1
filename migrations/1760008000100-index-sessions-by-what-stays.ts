import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Blocks writes to sessions, but not reads, while the indexes are built: about a second per million rows. */
export class IndexSessionsByWhatStays1760008000100 implements MigrationInterface {
  name = 'IndexSessionsByWhatStays1760008000100';
  creates = ['session_by_purge', 'session_of_user'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX session_by_purge ON session (purge_at)`);
    await runner.query(`CREATE INDEX session_of_user ON session (user_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX session_of_user`);
    await runner.query(`DROP INDEX session_by_purge`);
  }
}
