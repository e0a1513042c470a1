import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The cleaner reads those few that wait for their first code, not everybody's. */
export class FindUnconfirmedFactors1760009000000 implements MigrationInterface {
  name = 'FindUnconfirmedFactors1760009000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX mfa_totp_by_age ON mfa_totp (created_at) WHERE confirmed_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX mfa_totp_by_age`);
  }
}
