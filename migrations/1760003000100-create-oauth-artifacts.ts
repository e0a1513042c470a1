import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOauthArtifacts1760003000100 implements MigrationInterface {
  name = 'CreateOauthArtifacts1760003000100';
  creates = [
    'oauth_artifact',
    'oauth_artifact_by_client',
    'oauth_artifact_by_expiry',
    'oauth_artifact_by_grant',
    'oauth_artifact_by_session',
    'oauth_artifact_by_user',
    'oauth_artifact_pk',
    'oauth_consent',
    'oauth_consent_by_client',
    'oauth_consent_pk',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oauth_artifact (
        model varchar(32) NOT NULL,
        id varchar(64) NOT NULL,
        payload jsonb NOT NULL,
        grant_id varchar(64),
        client_id varchar(64),
        user_id uuid,
        session_id uuid,
        expires_at timestamptz(3) NOT NULL,
        consumed_at timestamptz(3),
        CONSTRAINT oauth_artifact_pk PRIMARY KEY (model, id),
        CONSTRAINT oauth_artifact_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX oauth_artifact_by_user ON oauth_artifact (user_id, client_id)`);
    await runner.query(`CREATE INDEX oauth_artifact_by_grant ON oauth_artifact (grant_id) WHERE grant_id IS NOT NULL`);
    await runner.query(`CREATE INDEX oauth_artifact_by_client ON oauth_artifact (client_id)`);
    await runner.query(`CREATE INDEX oauth_artifact_by_session ON oauth_artifact (session_id, model)`);
    await runner.query(`CREATE INDEX oauth_artifact_by_expiry ON oauth_artifact (expires_at)`);
    await runner.query(`
      CREATE TABLE oauth_consent (
        user_id uuid NOT NULL,
        client_id uuid NOT NULL,
        scopes jsonb NOT NULL,
        granted_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT oauth_consent_pk PRIMARY KEY (user_id, client_id),
        CONSTRAINT oauth_consent_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE,
        CONSTRAINT oauth_consent_client_fk FOREIGN KEY (client_id) REFERENCES oauth_client (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX oauth_consent_by_client ON oauth_consent (client_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE oauth_consent`);
    await runner.query(`DROP TABLE oauth_artifact`);
  }
}
