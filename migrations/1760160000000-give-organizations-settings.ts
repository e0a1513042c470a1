import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What organizations show and accept instead of the service's settings. */
export class GiveOrganizationsSettings1760160000000 implements MigrationInterface {
  name = 'GiveOrganizationsSettings1760160000000';
  creates = [];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the table, such as a dump, requests wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`ALTER TABLE organization ADD COLUMN settings jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organization DROP COLUMN settings');
  }
}
