import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Login providers of one organization. An organization with a provider cannot be deleted. */
export class GiveProvidersAnOrganization1760156000000 implements MigrationInterface {
  name = 'GiveProvidersAnOrganization1760156000000';
  creates = ['oauth_provider_by_organization'];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the table, such as a dump, requests wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`
      ALTER TABLE oauth_provider ADD COLUMN organization_id uuid,
        ADD CONSTRAINT oauth_provider_organization_fk FOREIGN KEY (organization_id) REFERENCES organization (id)`);
    await runner.query('CREATE INDEX oauth_provider_by_organization ON oauth_provider (organization_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    // Without its organization, the provider would speak for every address.
    await runner.query('UPDATE oauth_provider SET enabled = false WHERE organization_id IS NOT NULL');
    await runner.query('ALTER TABLE oauth_provider DROP COLUMN organization_id');
  }
}
