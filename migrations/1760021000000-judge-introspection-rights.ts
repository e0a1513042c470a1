import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records the user who set a client's introspection resources, so that each introspection can check that user's permissions. */
export class JudgeIntrospectionRights1760021000000 implements MigrationInterface {
  name = 'JudgeIntrospectionRights1760021000000';
  creates = ['oauth_client_by_introspection_setter'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oauth_client
        ADD COLUMN introspection_set_by uuid,
        ADD CONSTRAINT oauth_client_introspection_setter_fk
          FOREIGN KEY (introspection_set_by) REFERENCES user_account (id) ON DELETE SET NULL`);
    // Until now only the grantor of the scopes was recorded.
    await runner.query(`
      UPDATE oauth_client SET introspection_set_by = scopes_set_by WHERE introspection_resources <> '[]'`);
    await runner.query(`CREATE INDEX oauth_client_by_introspection_setter ON oauth_client (introspection_set_by)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE oauth_client DROP COLUMN introspection_set_by`);
  }
}
