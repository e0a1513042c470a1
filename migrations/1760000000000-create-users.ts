import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUsers1760000000000 implements MigrationInterface {
  name = 'CreateUsers1760000000000';
  creates = [
    'user_account',
    'user_account_email_unique',
    'user_account_nickname_prefix',
    'user_account_phone_unique',
    'user_account_pk',
    'user_account_username_unique',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE user_account (
        id uuid NOT NULL,
        username varchar(50) COLLATE "C" NOT NULL,
        nickname varchar(50) NOT NULL DEFAULT '',
        avatar varchar(500) NOT NULL DEFAULT '',
        email varchar(254),
        email_key varchar(254),
        email_verified boolean NOT NULL DEFAULT false,
        phone varchar(16),
        phone_verified boolean NOT NULL DEFAULT false,
        locale varchar(8),
        status varchar(16) NOT NULL DEFAULT 'active',
        password_hash text,
        password_version integer NOT NULL DEFAULT 1,
        must_change_password boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        last_login_at timestamptz(3),
        CONSTRAINT user_account_pk PRIMARY KEY (id),
        CONSTRAINT user_account_status_known CHECK (status IN ('active', 'disabled')),
        CONSTRAINT user_account_email_whole CHECK ((email IS NULL) = (email_key IS NULL)),
        CONSTRAINT user_account_email_proof CHECK (email IS NOT NULL OR NOT email_verified),
        CONSTRAINT user_account_phone_proof CHECK (phone IS NOT NULL OR NOT phone_verified)
      )`);
    await runner.query(`CREATE UNIQUE INDEX user_account_username_unique ON user_account (lower(username))`);
    await runner.query(
      `CREATE UNIQUE INDEX user_account_email_unique ON user_account (email_key) WHERE email_key IS NOT NULL`,
    );
    await runner.query(`CREATE UNIQUE INDEX user_account_phone_unique ON user_account (phone) WHERE phone IS NOT NULL`);
    await runner.query(
      `CREATE INDEX user_account_nickname_prefix ON user_account (lower(nickname) text_pattern_ops, lower(username)) WHERE nickname <> ''`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE user_account`);
  }
}
