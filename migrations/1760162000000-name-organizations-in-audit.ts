import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Audit events name the organisation that they concern. Lists by it, and by the user that another one acted as. */
export class NameOrganizationsInAudit1760162000000 implements MigrationInterface {
  name = 'NameOrganizationsInAudit1760162000000';
  creates = [
    'audit_event_by_organization',
    'audit_event_other_organization_id_at_id_idx',
    'audit_event_by_represented_user',
    'audit_event_other_on_behalf_of_id_at_id_idx',
  ];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the table, such as a dump, all logins wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query('ALTER TABLE audit_event ADD COLUMN organization_id uuid');
    await runner.query(`
      CREATE INDEX audit_event_by_organization ON audit_event (organization_id, at DESC, id DESC)
      WHERE organization_id IS NOT NULL`);
    await runner.query(`
      CREATE INDEX audit_event_by_represented_user ON audit_event (on_behalf_of_id, at DESC, id DESC)
      WHERE on_behalf_of_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_event_by_represented_user');
    await runner.query('ALTER TABLE audit_event DROP COLUMN organization_id');
  }
}
