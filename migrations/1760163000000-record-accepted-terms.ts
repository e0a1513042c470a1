import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Nullable, so that a former version of the service can still create users. */
export class RecordAcceptedTerms1760163000000 implements MigrationInterface {
  name = 'RecordAcceptedTerms1760163000000';

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a writer of the table, all logins wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`
      ALTER TABLE user_account
        ADD COLUMN terms_version varchar(50),
        ADD COLUMN terms_accepted_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE user_account DROP COLUMN terms_version, DROP COLUMN terms_accepted_at');
  }
}
