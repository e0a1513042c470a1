import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Supports a search among millions of users, newest first. No index finds name prefixes in another order than that of
 * the names, so users are grouped in segments of 4,096 by creation. A search reads the newest segment first and stops
 * when it has enough results, so even a prefix that all users share costs one segment.
 */
export class SearchUsers1760000300000 implements MigrationInterface {
  name = 'SearchUsers1760000300000';
  creates = [
    'user_account_by_status',
    'user_account_search_email',
    'user_account_search_nickname',
    'user_account_search_segment_seq',
    'user_account_search_username',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE SEQUENCE user_account_search_segment_seq`);
    await runner.query(`
      ALTER TABLE user_account ADD COLUMN search_segment integer NOT NULL
      DEFAULT (nextval('user_account_search_segment_seq') / 4096)`);
    await runner.query(`ALTER SEQUENCE user_account_search_segment_seq OWNED BY user_account.search_segment`);
    await runner.query(`CREATE INDEX user_account_by_status ON user_account (status, id)`);
    await runner.query(
      `CREATE INDEX user_account_search_username ON user_account (status, search_segment, upper(username))`,
    );
    // Not partial: the planner estimates the selectivity of prefixes only from full indexes.
    await runner.query(
      `CREATE INDEX user_account_search_nickname ON user_account (status, search_segment, lower(nickname) text_pattern_ops)`,
    );
    await runner.query(
      `CREATE INDEX user_account_search_email ON user_account (status, search_segment, lower(email) text_pattern_ops)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX user_account_by_status`);
    await runner.query(`ALTER TABLE user_account DROP COLUMN search_segment`);
  }
}
