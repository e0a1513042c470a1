import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `scope:resource:action`, each at its longest: the longest id of all that is audited. No row is rewritten for it. */
export class NameWholePermissionsInAudit1760009001000 implements MigrationInterface {
  name = 'NameWholePermissionsInAudit1760009001000';

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for somebody who reads the table, a dump say, every login waits behind it: the start is tried again.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`ALTER TABLE audit_event ALTER COLUMN target_id TYPE varchar(152)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE audit_event ALTER COLUMN target_id TYPE varchar(128) USING left(target_id, 128)`);
  }
}
