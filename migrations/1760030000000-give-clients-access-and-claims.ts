import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who may use a client, and the claims that its tokens contain in addition to those of the protocol. */
export class GiveClientsAccessAndClaims1760030000000 implements MigrationInterface {
  name = 'GiveClientsAccessAndClaims1760030000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oauth_client
        ADD COLUMN access jsonb NOT NULL DEFAULT '{"mode":"everybody","roleIds":[],"userIds":[]}',
        ADD COLUMN claims jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE oauth_client DROP COLUMN claims, DROP COLUMN access`);
  }
}
