import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The signed roots over the audit log, and the keys that sign them. */
export class ChainAuditEvents1760070000000 implements MigrationInterface {
  name = 'ChainAuditEvents1760070000000';
  creates = [
    'audit_chain_key',
    'audit_chain_key_pk',
    'audit_root',
    'audit_root_by_time',
    'audit_root_pk',
    'audit_root_reject_change',
    'audit_root_with_entries',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_chain_key (
        id uuid NOT NULL,
        private_key text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT audit_chain_key_pk PRIMARY KEY (id)
      )`);
    await runner.query(`
      CREATE TABLE audit_root (
        number bigint NOT NULL,
        token text NOT NULL,
        events int NOT NULL,
        last_at timestamptz(3) NOT NULL,
        made_at timestamptz(3) NOT NULL DEFAULT now(),
        entries bytea,
        CONSTRAINT audit_root_pk PRIMARY KEY (number)
      )`);
    await runner.query('CREATE INDEX audit_root_by_time ON audit_root (made_at)');
    await runner.query('CREATE INDEX audit_root_with_entries ON audit_root (last_at) WHERE entries IS NOT NULL');
    await this.protect(runner);
  }

  /** Only the entries may be removed, after the events that they describe. */
  private async protect(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION audit_root_reject_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          IF NEW.entries IS NULL AND (NEW.number, NEW.token, NEW.events, NEW.last_at, NEW.made_at)
             = (OLD.number, OLD.token, OLD.events, OLD.last_at, OLD.made_at) THEN
            RETURN NEW;
          END IF;
        END IF;
        RAISE EXCEPTION 'audit_root is append-only' USING ERRCODE = 'restrict_violation';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_root_append_only BEFORE UPDATE OR DELETE ON audit_root
      FOR EACH ROW EXECUTE FUNCTION audit_root_reject_change()`);
    await runner.query(`
      CREATE TRIGGER audit_root_no_truncate BEFORE TRUNCATE ON audit_root
      FOR EACH STATEMENT EXECUTE FUNCTION audit_root_reject_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_root');
    await runner.query('DROP FUNCTION audit_root_reject_change()');
    await runner.query('DROP TABLE audit_chain_key');
  }
}
