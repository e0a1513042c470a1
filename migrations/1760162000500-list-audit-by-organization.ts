import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists by the organization, and by the user that another one acted as. Apart from the column, so that nobody waits to read
 * while the indexes are created.
 */
export class ListAuditByOrganization1760162000500 implements MigrationInterface {
  name = 'ListAuditByOrganization1760162000500';
  creates = [
    'audit_event_by_organization',
    'audit_event_other_organization_id_at_id_idx',
    'audit_event_by_represented_user',
    'audit_event_other_on_behalf_of_id_at_id_idx',
  ];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a writer of the table, all logins wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`
      CREATE INDEX audit_event_by_organization ON audit_event (organization_id, at DESC, id DESC)
      WHERE organization_id IS NOT NULL`);
    await runner.query(`
      CREATE INDEX audit_event_by_represented_user ON audit_event (on_behalf_of_id, at DESC, id DESC)
      WHERE on_behalf_of_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_event_by_represented_user');
    await runner.query('DROP INDEX audit_event_by_organization');
  }
}
