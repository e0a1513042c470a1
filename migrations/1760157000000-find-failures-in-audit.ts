import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Failures are few, so that a list of them must not read the whole log. */
export class FindFailuresInAudit1760157000000 implements MigrationInterface {
  name = 'FindFailuresInAudit1760157000000';
  creates = ['audit_event_failures', 'audit_event_other_at_id_idx'];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a writer of the table, all logins wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`CREATE INDEX audit_event_failures ON audit_event (at DESC, id DESC) WHERE outcome = 'failure'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_event_failures');
  }
}
