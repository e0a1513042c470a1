import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether a login provider reads users from the ID token alone. Existing providers go on as discovery says. A former version
 * calls the userinfo endpoint of discovery.
 */
export class LetProvidersBeWithoutUserinfo1760181000000 implements MigrationInterface {
  name = 'LetProvidersBeWithoutUserinfo1760181000000';
  creates = [];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query('ALTER TABLE oauth_provider ADD COLUMN without_userinfo boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_provider DROP COLUMN without_userinfo');
  }
}
