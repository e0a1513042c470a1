import type { MigrationInterface, QueryRunner } from 'typeorm';

/** With a default, so that a former version of the service can still register clients. */
export class KnowWhoDisabledClients1760167000000 implements MigrationInterface {
  name = 'KnowWhoDisabledClients1760167000000';

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a writer of the table, all logins at applications wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query('ALTER TABLE oauth_client ADD COLUMN disabled_by_service boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_client DROP COLUMN disabled_by_service');
  }
}
