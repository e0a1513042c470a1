import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names of groups are unique in the service and in each organization. */
export class NameGroupsByOrganization1760146000000 implements MigrationInterface {
  name = 'NameGroupsByOrganization1760146000000';
  creates = ['user_group_name_unique', 'user_group_organization_name_unique'];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the table, such as a dump, requests wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(
      'CREATE UNIQUE INDEX user_group_name_unique ON user_group (name_key) WHERE organization_id IS NULL',
    );
    await runner.query(
      'CREATE UNIQUE INDEX user_group_organization_name_unique ON user_group (organization_id, name_key)',
    );
    await runner.query('ALTER TABLE user_group DROP CONSTRAINT user_group_name_key_unique');
    await runner.query('DROP INDEX user_group_by_organization');
  }

  /** Without the groups of organizations, whose names may occur more than once. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM user_group WHERE organization_id IS NOT NULL');
    await runner.query('ALTER TABLE user_group ADD CONSTRAINT user_group_name_key_unique UNIQUE (name_key)');
    await runner.query('CREATE INDEX user_group_by_organization ON user_group (organization_id)');
    for (const index of ['user_group_organization_name_unique', 'user_group_name_unique']) {
      await runner.query(`DROP INDEX ${index}`);
    }
  }
}
