import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Roles may belong to an organization. Their names are unique in the service and in each organization. */
export class GiveRolesAnOrganization1760161000000 implements MigrationInterface {
  name = 'GiveRolesAnOrganization1760161000000';
  creates = ['role_by_organization', 'role_of_service'];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the table, such as a dump, requests wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(
      `ALTER TABLE role ADD COLUMN organization_id uuid
         CONSTRAINT role_organization_fk REFERENCES organization (id) ON DELETE CASCADE`,
    );
    await runner.query('CREATE INDEX role_by_organization ON role (organization_id) WHERE organization_id IS NOT NULL');
    await runner.query('CREATE INDEX role_of_service ON role (scope, name) WHERE organization_id IS NULL');
    // The former version names this constraint in ON CONFLICT, so it keeps its name and rejects the same rows.
    await runner.query('ALTER TABLE role DROP CONSTRAINT role_name_unique');
    await runner.query(
      'ALTER TABLE role ADD CONSTRAINT role_name_unique UNIQUE NULLS NOT DISTINCT (scope, name, organization_id)',
    );
  }

  /** Without the roles of organizations, which would hold everywhere. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM role WHERE organization_id IS NOT NULL');
    await runner.query('ALTER TABLE role DROP CONSTRAINT role_name_unique');
    await runner.query('ALTER TABLE role DROP COLUMN organization_id');
    await runner.query('ALTER TABLE role ADD CONSTRAINT role_name_unique UNIQUE (scope, name)');
  }
}
