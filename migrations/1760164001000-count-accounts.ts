import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts of accounts over time, and logins by method. */
export class CountAccounts1760164001000 implements MigrationInterface {
  name = 'CountAccounts1760164001000';
  creates = ['account_count', 'account_count_pk'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account_count (
        hour timestamptz(3) NOT NULL,
        counted_at timestamptz(3) NOT NULL DEFAULT now(),
        users int NOT NULL,
        second_factor_users int NOT NULL,
        new_users int[] NOT NULL,
        active_users int[] NOT NULL,
        CONSTRAINT account_count_pk PRIMARY KEY (hour)
      )`);
    await runner.query('ALTER TABLE activity_hour ADD COLUMN methods jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE activity_hour DROP COLUMN methods');
    await runner.query('DROP TABLE account_count');
  }
}
