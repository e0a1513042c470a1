import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOauthClients1760003000000 implements MigrationInterface {
  name = 'CreateOauthClients1760003000000';
  creates = [
    'oauth_client',
    'oauth_client_by_origin',
    'oauth_client_by_owner',
    'oauth_client_by_setter',
    'oauth_client_client_id_unique',
    'oauth_client_pk',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oauth_client (
        id uuid NOT NULL,
        client_id varchar(64) NOT NULL,
        name varchar(100) NOT NULL,
        description varchar(500) NOT NULL DEFAULT '',
        logo varchar(500) NOT NULL DEFAULT '',
        redirect_uris jsonb NOT NULL,
        post_logout_redirect_uris jsonb NOT NULL,
        backchannel_logout_uri varchar(500),
        origins jsonb NOT NULL,
        grant_types jsonb NOT NULL,
        scopes jsonb NOT NULL,
        scopes_set_by uuid,
        is_public boolean NOT NULL,
        first_party boolean NOT NULL DEFAULT false,
        enabled boolean NOT NULL DEFAULT true,
        owner_id uuid,
        secret_hash varchar(64),
        former_secret_hash varchar(64),
        former_secret_until timestamptz(3),
        last_used_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT oauth_client_pk PRIMARY KEY (id),
        CONSTRAINT oauth_client_client_id_unique UNIQUE (client_id),
        CONSTRAINT oauth_client_secret_unless_public CHECK (is_public = (secret_hash IS NULL)),
        CONSTRAINT oauth_client_owner_fk FOREIGN KEY (owner_id) REFERENCES user_account (id) ON DELETE SET NULL,
        CONSTRAINT oauth_client_setter_fk FOREIGN KEY (scopes_set_by) REFERENCES user_account (id) ON DELETE SET NULL
      )`);
    await runner.query(`CREATE INDEX oauth_client_by_owner ON oauth_client (owner_id, id)`);
    await runner.query(`CREATE INDEX oauth_client_by_setter ON oauth_client (scopes_set_by)`);
    await runner.query(`CREATE INDEX oauth_client_by_origin ON oauth_client USING gin (origins)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE oauth_client`);
  }
}
