import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An OAuth client may be tied to one organization, which cannot be deleted meanwhile. Records the user who tied it. */
export class TieClientsToOrganizations1760147000000 implements MigrationInterface {
  name = 'TieClientsToOrganizations1760147000000';
  creates = ['oauth_client_by_organization', 'oauth_client_by_organization_setter'];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the table, such as a dump, requests wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`
      ALTER TABLE oauth_client
        ADD COLUMN organization_id uuid,
        ADD COLUMN organization_set_by uuid,
        ADD CONSTRAINT oauth_client_organization_fk
          FOREIGN KEY (organization_id) REFERENCES organization (id) ON DELETE RESTRICT,
        ADD CONSTRAINT oauth_client_organization_setter_fk
          FOREIGN KEY (organization_set_by) REFERENCES user_account (id) ON DELETE SET NULL`);
    await runner.query('CREATE INDEX oauth_client_by_organization ON oauth_client (organization_id)');
    await runner.query('CREATE INDEX oauth_client_by_organization_setter ON oauth_client (organization_set_by)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_client DROP COLUMN organization_set_by, DROP COLUMN organization_id');
  }
}
