import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSecondFactors1760004000000 implements MigrationInterface {
  name = 'CreateSecondFactors1760004000000';
  creates = [
    'mfa_passkey',
    'mfa_passkey_by_user',
    'mfa_passkey_challenge',
    'mfa_passkey_challenge_by_expiry',
    'mfa_passkey_challenge_pk',
    'mfa_passkey_credential_unique',
    'mfa_passkey_pk',
    'mfa_pending_login',
    'mfa_pending_login_by_expiry',
    'mfa_pending_login_by_user',
    'mfa_pending_login_pk',
    'mfa_pending_login_token_unique',
    'mfa_recovery_set',
    'mfa_recovery_set_pk',
    'mfa_recovery_set_user_unique',
    'mfa_totp',
    'mfa_totp_by_user',
    'mfa_totp_pk',
    'mfa_trusted_device',
    'mfa_trusted_device_by_age',
    'mfa_trusted_device_by_user',
    'mfa_trusted_device_pk',
    'mfa_trusted_device_token_unique',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await this.createFactors(runner);
    await this.createLogins(runner);
    await runner.query(`ALTER TABLE role ADD COLUMN mfa_required boolean NOT NULL DEFAULT false`);
    await runner.query(`ALTER TABLE session ADD COLUMN amr jsonb NOT NULL DEFAULT '[]'`);
    await runner.query(`ALTER TABLE session ADD COLUMN second_factor_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE session DROP COLUMN second_factor_at`);
    await runner.query(`ALTER TABLE session DROP COLUMN amr`);
    await runner.query(`ALTER TABLE role DROP COLUMN mfa_required`);
    for (const table of ['passkey_challenge', 'pending_login', 'trusted_device', 'passkey', 'recovery_set', 'totp']) {
      await runner.query(`DROP TABLE mfa_${table}`);
    }
  }

  private async createFactors(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mfa_totp (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        secret text NOT NULL,
        confirmed_at timestamptz(3),
        last_step bigint,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3),
        CONSTRAINT mfa_totp_pk PRIMARY KEY (id),
        CONSTRAINT mfa_totp_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX mfa_totp_by_user ON mfa_totp (user_id)`);
    await runner.query(`
      CREATE TABLE mfa_recovery_set (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        codes jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3),
        CONSTRAINT mfa_recovery_set_pk PRIMARY KEY (id),
        CONSTRAINT mfa_recovery_set_user_unique UNIQUE (user_id),
        CONSTRAINT mfa_recovery_set_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE mfa_passkey (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        credential_id varchar(1400) NOT NULL,
        rp_id varchar(253) NOT NULL,
        public_key text NOT NULL,
        counter bigint NOT NULL,
        transports jsonb NOT NULL,
        is_device_bound boolean NOT NULL,
        is_backed_up boolean NOT NULL,
        name varchar(50) NOT NULL,
        aaguid uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3),
        CONSTRAINT mfa_passkey_pk PRIMARY KEY (id),
        CONSTRAINT mfa_passkey_credential_unique UNIQUE (credential_id),
        CONSTRAINT mfa_passkey_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX mfa_passkey_by_user ON mfa_passkey (user_id)`);
  }

  private async createLogins(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mfa_trusted_device (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        token_hash varchar(43) NOT NULL,
        password_version integer NOT NULL,
        ip varchar(45) NOT NULL,
        user_agent varchar(512) NOT NULL,
        device jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3),
        CONSTRAINT mfa_trusted_device_pk PRIMARY KEY (id),
        CONSTRAINT mfa_trusted_device_token_unique UNIQUE (token_hash),
        CONSTRAINT mfa_trusted_device_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX mfa_trusted_device_by_user ON mfa_trusted_device (user_id)`);
    await runner.query(`CREATE INDEX mfa_trusted_device_by_age ON mfa_trusted_device (created_at)`);
    await runner.query(`
      CREATE TABLE mfa_pending_login (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        token_hash varchar(43) NOT NULL,
        browser_hash varchar(43) NOT NULL,
        password_version integer NOT NULL,
        login_method varchar(80) NOT NULL,
        amr jsonb NOT NULL,
        remember boolean NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT mfa_pending_login_pk PRIMARY KEY (id),
        CONSTRAINT mfa_pending_login_token_unique UNIQUE (token_hash),
        CONSTRAINT mfa_pending_login_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX mfa_pending_login_by_user ON mfa_pending_login (user_id)`);
    await runner.query(`CREATE INDEX mfa_pending_login_by_expiry ON mfa_pending_login (expires_at)`);
    await runner.query(`
      CREATE TABLE mfa_passkey_challenge (
        challenge_hash varchar(43) NOT NULL,
        ceremony varchar(16) NOT NULL,
        bound_to varchar(64) NOT NULL,
        rp_id varchar(253) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT mfa_passkey_challenge_pk PRIMARY KEY (challenge_hash)
      )`);
    await runner.query(`CREATE INDEX mfa_passkey_challenge_by_expiry ON mfa_passkey_challenge (expires_at)`);
  }
}
