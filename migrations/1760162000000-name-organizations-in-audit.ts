import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Audit events name the organization that they concern. */
export class NameOrganizationsInAudit1760162000000 implements MigrationInterface {
  name = 'NameOrganizationsInAudit1760162000000';

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the table, such as a dump, all logins wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query('ALTER TABLE audit_event ADD COLUMN organization_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_event DROP COLUMN organization_id');
  }
}
