import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateIdentities1760002001000 implements MigrationInterface {
  name = 'CreateIdentities1760002001000';
  creates = [
    'oauth_bind_ticket',
    'oauth_bind_ticket_by_expiry',
    'oauth_bind_ticket_pk',
    'oauth_state',
    'oauth_state_by_expiry',
    'oauth_state_by_session',
    'oauth_state_pk',
    'user_identity',
    'user_identity_by_provider',
    'user_identity_by_user',
    'user_identity_pk',
    'user_identity_subject',
    'user_identity_subject_by_identity',
    'user_identity_subject_pk',
  ];

  async up(runner: QueryRunner): Promise<void> {
    // Room for `oauth:<provider>`.
    await runner.query(`ALTER TABLE session ALTER COLUMN login_method TYPE varchar(80)`);
    await runner.query(`
      CREATE TABLE user_identity (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        provider_id uuid NOT NULL,
        provider_name varchar(64) NOT NULL,
        provider_label varchar(100) NOT NULL,
        subject_hint varchar(254) NOT NULL,
        linked_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT user_identity_pk PRIMARY KEY (id),
        CONSTRAINT user_identity_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX user_identity_by_user ON user_identity (user_id, linked_at, id)`);
    await runner.query(`CREATE INDEX user_identity_by_provider ON user_identity (provider_id)`);
    await runner.query(`
      CREATE TABLE user_identity_subject (
        provider_id uuid NOT NULL,
        issuer varchar(512) NOT NULL,
        subject varchar(255) NOT NULL,
        identity_id uuid NOT NULL,
        CONSTRAINT user_identity_subject_pk PRIMARY KEY (provider_id, issuer, subject),
        CONSTRAINT user_identity_subject_fk FOREIGN KEY (identity_id) REFERENCES user_identity (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX user_identity_subject_by_identity ON user_identity_subject (identity_id)`);
    await runner.query(`
      CREATE TABLE oauth_state (
        id varchar(43) NOT NULL,
        provider_id uuid NOT NULL,
        provider_version integer NOT NULL,
        browser varchar(43) NOT NULL,
        mode varchar(8) NOT NULL,
        user_id uuid,
        session_id uuid,
        redirect_uri varchar(1024) NOT NULL,
        return_to varchar(2048) NOT NULL,
        nonce varchar(43) NOT NULL,
        code_verifier text,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT oauth_state_pk PRIMARY KEY (id),
        CONSTRAINT oauth_state_mode_whole CHECK (
          mode = 'login' AND user_id IS NULL AND session_id IS NULL
          OR mode = 'bind' AND user_id IS NOT NULL AND session_id IS NOT NULL),
        CONSTRAINT oauth_state_session_fk FOREIGN KEY (session_id) REFERENCES session (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX oauth_state_by_expiry ON oauth_state (expires_at)`);
    await runner.query(`CREATE INDEX oauth_state_by_session ON oauth_state (session_id) WHERE session_id IS NOT NULL`);
    await runner.query(`
      CREATE TABLE oauth_bind_ticket (
        id varchar(43) NOT NULL,
        provider_id uuid NOT NULL,
        provider_version integer NOT NULL,
        provider_name varchar(64) NOT NULL,
        browser varchar(43) NOT NULL,
        profile text NOT NULL,
        failures integer NOT NULL DEFAULT 0,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT oauth_bind_ticket_pk PRIMARY KEY (id)
      )`);
    await runner.query(`CREATE INDEX oauth_bind_ticket_by_expiry ON oauth_bind_ticket (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE oauth_bind_ticket`);
    await runner.query(`DROP TABLE oauth_state`);
    await runner.query(`DROP TABLE user_identity_subject`);
    await runner.query(`DROP TABLE user_identity`);
    await runner.query(`ALTER TABLE session ALTER COLUMN login_method TYPE varchar(32)`);
  }
}
