import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeepWhatFollowsSecondFactors1760005001000 implements MigrationInterface {
  name = 'KeepWhatFollowsSecondFactors1760005001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mfa_pending_login ADD COLUMN deferred text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mfa_pending_login DROP COLUMN deferred`);
  }
}
