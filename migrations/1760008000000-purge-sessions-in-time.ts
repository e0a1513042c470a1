import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A refresh changes when a session was seen and when it expires. PostgreSQL writes such a row within its page, and no
 * index, where no index knows these columns and the page has room (heap-only tuples). So the cleaner gets a time of its
 * own. Three migrations, so that nobody waits for the indexes with the table locked against reading.
 */
export class PurgeSessionsInTime1760008000000 implements MigrationInterface {
  name = 'PurgeSessionsInTime1760008000000';

  async up(runner: QueryRunner): Promise<void> {
    // Of rows that are there, and of those that the version before this one writes, the cleaner finds out itself.
    await runner.query(`ALTER TABLE session ADD COLUMN purge_at timestamptz(3) NOT NULL DEFAULT now()`);
    await runner.query(`ALTER TABLE session SET (fillfactor = 80)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE session RESET (fillfactor)`);
    await runner.query(`ALTER TABLE session DROP COLUMN purge_at`);
  }
}
