import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Roles of organizations are stored with `organization/` before their name, which no name of a role of the service can begin
 * with: the former version finds roles by name in all organizations.
 */
export class NameRolesOfOrganizations1760166000000 implements MigrationInterface {
  name = 'NameRolesOfOrganizations1760166000000';
  creates = ['role_of_service_unique'];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the table, such as a dump, requests wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(
      `ALTER TABLE role ALTER COLUMN name TYPE varchar(63), ADD COLUMN of_service boolean NOT NULL DEFAULT true`,
    );
    await runner.query(
      `UPDATE role SET name = 'organization/' || name, of_service = false WHERE organization_id IS NOT NULL`,
    );
    await runner.query(
      `ALTER TABLE role
         ADD CONSTRAINT role_of_service_known CHECK (of_service = (organization_id IS NULL)),
         ADD CONSTRAINT role_name_of_organization CHECK (starts_with(name, 'organization/') = (organization_id IS NOT NULL)),
         ADD CONSTRAINT role_of_service_unique UNIQUE (id, of_service)`,
    );
    // In the order of lists.
    await runner.query('DROP INDEX role_of_service');
    await runner.query(
      'CREATE INDEX role_of_service ON role (scope COLLATE "C", name COLLATE "C") WHERE organization_id IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE role DROP CONSTRAINT role_of_service_unique, DROP CONSTRAINT role_name_of_organization,
         DROP CONSTRAINT role_of_service_known`,
    );
    await runner.query(
      `UPDATE role SET name = substr(name, length('organization/') + 1) WHERE organization_id IS NOT NULL`,
    );
    await runner.query('DROP INDEX role_of_service');
    await runner.query('CREATE INDEX role_of_service ON role (scope, name) WHERE organization_id IS NULL');
    await runner.query('ALTER TABLE role DROP COLUMN of_service, ALTER COLUMN name TYPE varchar(50)');
  }
}
