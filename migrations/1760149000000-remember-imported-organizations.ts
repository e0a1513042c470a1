import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations of other systems, so that a repeated import finds those that it created. */
export class RememberImportedOrganizations1760149000000 implements MigrationInterface {
  name = 'RememberImportedOrganizations1760149000000';
  creates = ['imported_organization', 'imported_organization_by_organization', 'imported_organization_pk'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE imported_organization (
        source varchar(16) NOT NULL,
        source_id varchar(255) NOT NULL,
        organization_id uuid NOT NULL,
        imported_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT imported_organization_pk PRIMARY KEY (source, source_id),
        CONSTRAINT imported_organization_organization_fk FOREIGN KEY (organization_id) REFERENCES organization (id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX imported_organization_by_organization ON imported_organization (organization_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE imported_organization');
  }
}
