import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateVerificationCodes1760001000000 implements MigrationInterface {
  name = 'CreateVerificationCodes1760001000000';
  creates = [
    'verification_code',
    'verification_code_by_expiry',
    'verification_code_by_user',
    'verification_code_pk',
    'verification_code_place_unique',
    'verification_target',
    'verification_target_by_touch',
    'verification_target_pk',
  ];

  async up(runner: QueryRunner): Promise<void> {
    // No foreign key to the user: storing a code would wait for transactions that lock the user, such as one that
    // consumes a code.
    await runner.query(`
      CREATE TABLE verification_code (
        id uuid NOT NULL,
        purpose varchar(16) NOT NULL,
        channel varchar(8) NOT NULL,
        target varchar(254) NOT NULL,
        digest varchar(128) NOT NULL,
        user_id uuid,
        session_id uuid,
        attempts integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT verification_code_pk PRIMARY KEY (id)
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX verification_code_place_unique ON verification_code (purpose, channel, target)`,
    );
    await runner.query(`CREATE INDEX verification_code_by_user ON verification_code (user_id)`);
    await runner.query(`CREATE INDEX verification_code_by_expiry ON verification_code (expires_at)`);
    await runner.query(`
      CREATE TABLE verification_target (
        channel varchar(8) NOT NULL,
        target varchar(254) NOT NULL,
        sent_on date,
        sent integer NOT NULL DEFAULT 0,
        last_sent_at timestamptz,
        wrong integer NOT NULL DEFAULT 0,
        wrong_since timestamptz,
        touched_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT verification_target_pk PRIMARY KEY (channel, target)
      )`);
    await runner.query(`CREATE INDEX verification_target_by_touch ON verification_target (touched_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE verification_target`);
    await runner.query(`DROP TABLE verification_code`);
  }
}
