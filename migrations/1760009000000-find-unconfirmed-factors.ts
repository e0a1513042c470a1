import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The purge job reads only the few factors that await their first code. */
export class FindUnconfirmedFactors1760009000000 implements MigrationInterface {
  name = 'FindUnconfirmedFactors1760009000000';
  creates = ['mfa_totp_by_age'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX mfa_totp_by_age ON mfa_totp (created_at) WHERE confirmed_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX mfa_totp_by_age`);
  }
}
