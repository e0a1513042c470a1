import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets administrators search among millions of users, newest first. No index gives the beginnings of names in another
 * order than that of names, so users stand in segments of 4,096 in the order they came: a search looks through the
 * newest segment first and stops when it has found enough, and even a beginning that everybody shares costs one segment.
 */
export class SearchUsers1760000300000 implements MigrationInterface {
  name = 'SearchUsers1760000300000';

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
    // Not partial: the planner takes its idea of how many names begin so from whole indexes only.
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
