import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Apart from the new columns: their lock blocks logins, and must not last as long as an index is built. */
export class FindAccountsToDelete1760164000500 implements MigrationInterface {
  name = 'FindAccountsToDelete1760164000500';
  creates = ['user_account_deletions'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(
      'CREATE INDEX user_account_deletions ON user_account (deletion_due_at, id) WHERE deletion_due_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX user_account_deletions');
  }
}
