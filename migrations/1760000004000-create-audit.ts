import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Partitioned by month from the start, so that retention drops a partition instead of deleting rows. Has no foreign
 * keys: events stay after their subject is deleted.
 */
export class CreateAudit1760000004000 implements MigrationInterface {
  name = 'CreateAudit1760000004000';
  creates = [
    'audit_event',
    'audit_event_by_action',
    'audit_event_by_actor',
    'audit_event_by_target',
    'audit_event_other',
    'audit_event_other_action_at_id_idx',
    'audit_event_other_actor_id_at_id_idx',
    'audit_event_other_pkey',
    'audit_event_other_target_type_target_id_at_id_idx',
    'audit_event_pk',
    'audit_event_refuse_change',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_event (
        id uuid NOT NULL,
        at timestamptz(3) NOT NULL DEFAULT now(),
        action varchar(64) NOT NULL,
        outcome varchar(16) NOT NULL,
        actor_id uuid,
        actor_name varchar(64),
        session_id uuid,
        target_type varchar(32),
        target_id varchar(128),
        target_label varchar(254),
        ip varchar(45),
        user_agent varchar(512),
        request_id varchar(64),
        before jsonb,
        after jsonb,
        reason text,
        CONSTRAINT audit_event_pk PRIMARY KEY (at, id),
        CONSTRAINT audit_event_outcome_known CHECK (outcome IN ('success', 'failure'))
      ) PARTITION BY RANGE (at)`);
    await runner.query(`CREATE INDEX audit_event_by_actor ON audit_event (actor_id, at DESC, id DESC)`);
    await runner.query(`CREATE INDEX audit_event_by_action ON audit_event (action, at DESC, id DESC)`);
    await runner.query(`CREATE INDEX audit_event_by_target ON audit_event (target_type, target_id, at DESC, id DESC)`);
    await runner.query(`CREATE TABLE audit_event_other PARTITION OF audit_event DEFAULT`);
    await runner.query(`
      CREATE FUNCTION audit_event_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'audit_event is append-only' USING ERRCODE = 'restrict_violation';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE ON audit_event
      FOR EACH ROW EXECUTE FUNCTION audit_event_refuse_change()`);
    // Partitions do not inherit statement triggers, only row triggers.
    for (const table of ['audit_event', 'audit_event_other']) {
      await runner.query(`
        CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION audit_event_refuse_change()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE audit_event`);
    await runner.query(`DROP FUNCTION audit_event_refuse_change()`);
  }
}
