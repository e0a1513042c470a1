import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Memberships that wait for the consent of their user. Separate tables, so that no query of members counts them, nor an
 * instance of the former version.
 */
export class LetMembershipsAwaitTheirUser1760169000000 implements MigrationInterface {
  name = 'LetMembershipsAwaitTheirUser1760169000000';
  creates = [
    'organization_pending_member',
    'organization_pending_member_by_adder',
    'organization_pending_member_by_user',
    'organization_pending_member_pk',
    'organization_pending_member_role',
    'organization_pending_member_role_by_role',
    'organization_pending_member_role_pk',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization_pending_member (
        organization_id uuid NOT NULL,
        user_id uuid NOT NULL,
        added_by uuid,
        added_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT organization_pending_member_pk PRIMARY KEY (organization_id, user_id),
        CONSTRAINT organization_pending_member_organization_fk FOREIGN KEY (organization_id)
          REFERENCES organization (id) ON DELETE CASCADE,
        CONSTRAINT organization_pending_member_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id)
          ON DELETE CASCADE,
        CONSTRAINT organization_pending_member_adder_fk FOREIGN KEY (added_by) REFERENCES user_account (id)
          ON DELETE SET NULL
      )`);
    await runner.query(
      'CREATE INDEX organization_pending_member_by_user ON organization_pending_member (user_id, organization_id)',
    );
    await runner.query('CREATE INDEX organization_pending_member_by_adder ON organization_pending_member (added_by)');
    await runner.query(`
      CREATE TABLE organization_pending_member_role (
        organization_id uuid NOT NULL,
        user_id uuid NOT NULL,
        role_id uuid NOT NULL,
        CONSTRAINT organization_pending_member_role_pk PRIMARY KEY (organization_id, user_id, role_id),
        CONSTRAINT organization_pending_member_role_member_fk FOREIGN KEY (organization_id, user_id)
          REFERENCES organization_pending_member (organization_id, user_id) ON DELETE CASCADE,
        CONSTRAINT organization_pending_member_role_role_fk FOREIGN KEY (role_id) REFERENCES role (id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX organization_pending_member_role_by_role ON organization_pending_member_role (role_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE organization_pending_member_role');
    await runner.query('DROP TABLE organization_pending_member');
  }
}
