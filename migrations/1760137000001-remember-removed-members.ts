import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users who were removed from an organization, so that its domain does not make them members again. */
export class RememberRemovedMembers1760137000001 implements MigrationInterface {
  name = 'RememberRemovedMembers1760137000001';
  creates = ['organization_removal', 'organization_removal_pk', 'organization_removal_by_user'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization_removal (
        organization_id uuid NOT NULL,
        user_id uuid NOT NULL,
        removed_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT organization_removal_pk PRIMARY KEY (organization_id, user_id),
        CONSTRAINT organization_removal_organization_fk FOREIGN KEY (organization_id) REFERENCES organization (id)
          ON DELETE CASCADE,
        CONSTRAINT organization_removal_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX organization_removal_by_user ON organization_removal (user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE organization_removal');
  }
}
