import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions can be read, not written, while these are built: a second or so for each million. */
export class IndexSessionsByWhatStays1760008000100 implements MigrationInterface {
  name = 'IndexSessionsByWhatStays1760008000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX session_by_purge ON session (purge_at)`);
    await runner.query(`CREATE INDEX session_of_user ON session (user_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX session_of_user`);
    await runner.query(`DROP INDEX session_by_purge`);
  }
}
