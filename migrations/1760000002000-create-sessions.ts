import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSessions1760000002000 implements MigrationInterface {
  name = 'CreateSessions1760000002000';
  creates = [
    'session',
    'session_by_expiry',
    'session_by_revocation',
    'session_by_user',
    'session_pk',
    'signing_key',
    'signing_key_by_usage',
    'signing_key_pk',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE session (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        counter integer NOT NULL DEFAULT 1,
        login_method varchar(32) NOT NULL,
        remember boolean NOT NULL,
        ip varchar(45) NOT NULL,
        user_agent varchar(512) NOT NULL,
        device jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        authenticated_at timestamptz(3) NOT NULL DEFAULT now(),
        last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
        rotated_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        absolute_expires_at timestamptz(3) NOT NULL,
        revoked_at timestamptz(3),
        CONSTRAINT session_pk PRIMARY KEY (id),
        CONSTRAINT session_counter_positive CHECK (counter > 0),
        CONSTRAINT session_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX session_by_user ON session (user_id, last_seen_at DESC, id DESC)`);
    await runner.query(`CREATE INDEX session_by_expiry ON session (expires_at)`);
    await runner.query(`CREATE INDEX session_by_revocation ON session (revoked_at) WHERE revoked_at IS NOT NULL`);
    await runner.query(`
      CREATE TABLE signing_key (
        id varchar(64) NOT NULL,
        usage varchar(16) NOT NULL,
        algorithm varchar(16) NOT NULL,
        public_jwk jsonb NOT NULL,
        private_key text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        signs_from timestamptz(3) NOT NULL,
        retired_at timestamptz(3),
        CONSTRAINT signing_key_pk PRIMARY KEY (id)
      )`);
    await runner.query(`CREATE INDEX signing_key_by_usage ON signing_key (usage, algorithm, signs_from DESC)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE signing_key`);
    await runner.query(`DROP TABLE session`);
  }
}
