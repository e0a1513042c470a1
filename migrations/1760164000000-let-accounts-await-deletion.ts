import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The time at which an account is deleted at the request of its owner, and whether the owner was reminded. */
export class LetAccountsAwaitDeletion1760164000000 implements MigrationInterface {
  name = 'LetAccountsAwaitDeletion1760164000000';

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the table, such as a dump, all logins wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`
      ALTER TABLE user_account
        ADD COLUMN deletion_due_at timestamptz(3),
        ADD COLUMN deletion_reminded_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE user_account DROP COLUMN deletion_reminded_at, DROP COLUMN deletion_due_at');
  }
}
