import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Numbers audit events by transaction, so that readers of the event feed can follow the commit order. Events from before
 * have no number and are not in the feed.
 */
export class OrderAuditByCommit1760040000000 implements MigrationInterface {
  name = 'OrderAuditByCommit1760040000000';
  creates = ['audit_event_by_position', 'audit_event_other_position_id_idx', 'audit_event_position'];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the table, such as a dump, all logins wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    // The summand grows when the database moves to a cluster whose transaction numbers are lower.
    await runner.query(`
      CREATE FUNCTION audit_event_position(xid8) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT
      AS 'SELECT $1::text::bigint + 0'`);
    // In two steps: a column that is added with this default would rewrite the table.
    await runner.query('ALTER TABLE audit_event ADD COLUMN position bigint');
    await runner.query(
      'ALTER TABLE audit_event ALTER COLUMN position SET DEFAULT audit_event_position(pg_current_xact_id())',
    );
    await runner.query('CREATE INDEX audit_event_by_position ON audit_event (position, id) WHERE position IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_event DROP COLUMN position');
    await runner.query('DROP FUNCTION audit_event_position(xid8)');
  }
}
