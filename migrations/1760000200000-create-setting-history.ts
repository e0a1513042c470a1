import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every value that a setting has had, to restore it later. A null value is the default. */
export class CreateSettingHistory1760000200000 implements MigrationInterface {
  name = 'CreateSettingHistory1760000200000';
  creates = ['setting_history', 'setting_history_pk'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE setting ALTER COLUMN value DROP NOT NULL`);
    await runner.query(`
      CREATE TABLE setting_history (
        key varchar(100) NOT NULL,
        version integer NOT NULL,
        from_value jsonb,
        to_value jsonb,
        changed_at timestamptz(3) NOT NULL DEFAULT now(),
        changed_by uuid,
        reason varchar(500),
        CONSTRAINT setting_history_pk PRIMARY KEY (key, version)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE setting_history`);
    await runner.query(`DELETE FROM setting WHERE value IS NULL`);
    await runner.query(`ALTER TABLE setting ALTER COLUMN value SET NOT NULL`);
  }
}
