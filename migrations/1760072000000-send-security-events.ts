import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks may send Security Event Tokens. */
export class SendSecurityEvents1760072000000 implements MigrationInterface {
  name = 'SendSecurityEvents1760072000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook
        ADD COLUMN format varchar(32) NOT NULL DEFAULT 'standard_webhooks',
        ADD COLUMN audience varchar(255),
        ADD CONSTRAINT webhook_format_known CHECK (format IN ('standard_webhooks', 'caep'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook DROP COLUMN format, DROP COLUMN audience');
  }
}
