import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Room for the longest `scope:resource:action`, the longest id in the audit log. Does not rewrite rows. */
export class NameWholePermissionsInAudit1760009001000 implements MigrationInterface {
  name = 'NameWholePermissionsInAudit1760009001000';

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the table, such as a dump, all logins wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`ALTER TABLE audit_event ALTER COLUMN target_id TYPE varchar(152)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE audit_event ALTER COLUMN target_id TYPE varchar(128) USING left(target_id, 128)`);
  }
}
