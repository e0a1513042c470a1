import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations whose members need a second factor there. */
export class RequireSecondFactorsOfMembers1760155000000 implements MigrationInterface {
  name = 'RequireSecondFactorsOfMembers1760155000000';
  creates = [];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the table, such as a dump, requests wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query('ALTER TABLE organization ADD COLUMN mfa_required boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organization DROP COLUMN mfa_required');
  }
}
