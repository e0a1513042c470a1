import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EndTokensOfClients1760006001000 implements MigrationInterface {
  name = 'EndTokensOfClients1760006001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_client ADD COLUMN tokens_ended_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_client DROP COLUMN tokens_ended_at');
  }
}
