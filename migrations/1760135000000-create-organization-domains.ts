import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Domains of organizations, and the roles of members who join by them. */
export class CreateOrganizationDomains1760135000000 implements MigrationInterface {
  name = 'CreateOrganizationDomains1760135000000';
  creates = [
    'organization_domain',
    'organization_domain_pk',
    'organization_domain_owner_unique',
    'organization_domain_role',
    'organization_domain_role_pk',
    'organization_domain_role_by_role',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization_domain (
        organization_id uuid NOT NULL,
        domain varchar(253) NOT NULL,
        txt_value varchar(100) NOT NULL,
        verified_at timestamptz(3),
        members_join boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT organization_domain_pk PRIMARY KEY (organization_id, domain),
        CONSTRAINT organization_domain_organization_fk FOREIGN KEY (organization_id) REFERENCES organization (id)
          ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX organization_domain_owner_unique ON organization_domain (domain) WHERE verified_at IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE organization_domain_role (
        organization_id uuid NOT NULL,
        domain varchar(253) NOT NULL,
        role_id uuid NOT NULL,
        CONSTRAINT organization_domain_role_pk PRIMARY KEY (organization_id, domain, role_id),
        CONSTRAINT organization_domain_role_domain_fk FOREIGN KEY (organization_id, domain)
          REFERENCES organization_domain (organization_id, domain) ON DELETE CASCADE,
        CONSTRAINT organization_domain_role_role_fk FOREIGN KEY (role_id) REFERENCES role (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX organization_domain_role_by_role ON organization_domain_role (role_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['organization_domain_role', 'organization_domain']) await runner.query(`DROP TABLE ${table}`);
  }
}
