import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pending logout notifications to clients, which survive a crash of the process that ended the sessions. */
export class KeepLogoutNotices1760010000000 implements MigrationInterface {
  name = 'KeepLogoutNotices1760010000000';
  creates = ['logout_notice', 'logout_notice_by_client', 'logout_notice_pk'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE logout_notice (
        id uuid NOT NULL,
        client_id varchar(64) NOT NULL,
        user_id uuid NOT NULL,
        sid varchar(64) NOT NULL,
        made_at timestamptz(3) NOT NULL DEFAULT now(),
        attempts smallint NOT NULL DEFAULT 0,
        next_at timestamptz(3) NOT NULL,
        CONSTRAINT logout_notice_pk PRIMARY KEY (id)
      )`);
    await runner.query(`CREATE INDEX logout_notice_by_client ON logout_notice (client_id, next_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE logout_notice`);
  }
}
