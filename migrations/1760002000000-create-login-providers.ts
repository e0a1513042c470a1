import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Third-party login providers. */
export class CreateLoginProviders1760002000000 implements MigrationInterface {
  name = 'CreateLoginProviders1760002000000';
  creates = ['oauth_provider', 'oauth_provider_name_unique', 'oauth_provider_pk'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oauth_provider (
        id uuid NOT NULL,
        name varchar(50) NOT NULL,
        label varchar(100) NOT NULL,
        template varchar(50) NOT NULL,
        client_id varchar(200) NOT NULL,
        client_secret text,
        authorize_url varchar(1000),
        token_url varchar(1000),
        userinfo_url varchar(1000),
        issuer varchar(255),
        scopes jsonb,
        mapping jsonb NOT NULL DEFAULT '{}',
        params jsonb NOT NULL DEFAULT '{}',
        pkce boolean,
        auto_register boolean NOT NULL,
        trust_email boolean NOT NULL,
        enabled boolean NOT NULL,
        icon varchar(500),
        sort integer NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT oauth_provider_pk PRIMARY KEY (id)
      )`);
    await runner.query(`CREATE UNIQUE INDEX oauth_provider_name_unique ON oauth_provider (name)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE oauth_provider`);
  }
}
