import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The names with which imported users logged in before. The key is the name for comparison. A former version creates users
 * without one, and does not find users by one.
 */
export class KeepFormerUsernames1760182000000 implements MigrationInterface {
  name = 'KeepFormerUsernames1760182000000';
  creates = ['user_account_former_username_unique', 'user_account_by_former_username'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`
      ALTER TABLE user_account ADD COLUMN former_username varchar(254), ADD COLUMN former_username_key varchar(254) COLLATE "C",
        ADD CONSTRAINT user_account_former_username_whole
          CHECK ((former_username IS NULL) = (former_username_key IS NULL))`);
    await runner.query(`
      CREATE UNIQUE INDEX user_account_former_username_unique ON user_account (former_username_key)
      WHERE former_username_key IS NOT NULL`);
    await runner.query(`
      CREATE INDEX user_account_by_former_username ON user_account (search_segment, former_username_key)
      WHERE former_username_key IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE user_account DROP COLUMN former_username, DROP COLUMN former_username_key');
  }
}
