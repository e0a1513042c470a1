import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Locks are few among the failures, so that a list of locked users must not read all of these. */
export class FindLocksInAudit1760185000000 implements MigrationInterface {
  name = 'FindLocksInAudit1760185000000';
  creates = ['audit_event_locks', 'audit_event_other_at_idx'];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a writer of the table, all logins wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(
      `CREATE INDEX audit_event_locks ON audit_event (at DESC) WHERE outcome = 'failure' AND after @> '{"locked": true}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_event_locks');
  }
}
