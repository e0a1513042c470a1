import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often a receiver of the audit log has rejected the next event, so that one event cannot block it forever. */
export class CountAuditRejections1760136000000 implements MigrationInterface {
  name = 'CountAuditRejections1760136000000';
  creates = [];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_sink ADD COLUMN rejections int NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_sink DROP COLUMN rejections');
  }
}
