import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A refresh updates when a session was seen and when it expires. PostgreSQL updates such a row in place, without
 * touching indexes (heap-only tuples), if no index contains these columns and the page has room. So the purge job gets
 * its own column. Split into three migrations, so that building the indexes does not hold a lock that blocks reads.
 */
export class PurgeSessionsInTime1760008000000 implements MigrationInterface {
  name = 'PurgeSessionsInTime1760008000000';

  async up(runner: QueryRunner): Promise<void> {
    // The purge job fills in existing rows, and rows that the previous version still writes.
    await runner.query(`ALTER TABLE session ADD COLUMN purge_at timestamptz(3) NOT NULL DEFAULT now()`);
    await runner.query(`ALTER TABLE session SET (fillfactor = 80)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE session RESET (fillfactor)`);
    await runner.query(`ALTER TABLE session DROP COLUMN purge_at`);
  }
}
