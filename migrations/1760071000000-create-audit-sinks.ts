import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the receivers of the audit log have come. */
export class CreateAuditSinks1760071000000 implements MigrationInterface {
  name = 'CreateAuditSinks1760071000000';
  creates = ['audit_sink', 'audit_sink_pk'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_sink (
        name varchar(16) NOT NULL,
        position bigint NOT NULL,
        position_id uuid NOT NULL,
        leased_by uuid,
        leased_until timestamptz(3),
        failures int NOT NULL DEFAULT 0,
        next_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT audit_sink_pk PRIMARY KEY (name)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_sink');
  }
}
