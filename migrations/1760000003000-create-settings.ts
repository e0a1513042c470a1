import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSettings1760000003000 implements MigrationInterface {
  name = 'CreateSettings1760000003000';
  creates = ['login_method', 'login_method_pk', 'setting', 'setting_pk'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE setting (
        key varchar(100) NOT NULL,
        value jsonb NOT NULL,
        version integer NOT NULL DEFAULT 1,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_by uuid,
        CONSTRAINT setting_pk PRIMARY KEY (key)
      )`);
    await runner.query(`
      CREATE TABLE login_method (
        type varchar(32) NOT NULL,
        enabled boolean NOT NULL,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT login_method_pk PRIMARY KEY (type)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE login_method`);
    await runner.query(`DROP TABLE setting`);
  }
}
