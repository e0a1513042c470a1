import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Options for clients of other vendors: no PKCE, signature algorithm, ID token claims, introspection, full logout. */
export class FitClientsOfOthers1760020000000 implements MigrationInterface {
  name = 'FitClientsOfOthers1760020000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oauth_client
        ADD COLUMN require_pkce boolean NOT NULL DEFAULT true,
        ADD COLUMN id_token_signed_response_alg varchar(10) NOT NULL DEFAULT 'RS256',
        ADD COLUMN id_token_claims boolean NOT NULL DEFAULT false,
        ADD COLUMN introspection_resources jsonb NOT NULL DEFAULT '[]',
        ADD CONSTRAINT oauth_client_pkce_of_public CHECK (require_pkce OR NOT is_public)`);
    await runner.query(`ALTER TABLE logout_notice ADD COLUMN all_sessions boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE logout_notice DROP COLUMN all_sessions`);
    await runner.query(`
      ALTER TABLE oauth_client
        DROP CONSTRAINT oauth_client_pkce_of_public,
        DROP COLUMN introspection_resources,
        DROP COLUMN id_token_claims,
        DROP COLUMN id_token_signed_response_alg,
        DROP COLUMN require_pkce`);
  }
}
