import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePermissionCatalogue1760000100000 implements MigrationInterface {
  name = 'CreatePermissionCatalogue1760000100000';
  creates = ['catalogue_entry', 'catalogue_entry_pk'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE catalogue_entry (
        scope varchar(50) NOT NULL,
        permission_id varchar(101) NOT NULL,
        required_level smallint,
        description varchar(500) NOT NULL DEFAULT '',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT catalogue_entry_pk PRIMARY KEY (scope, permission_id),
        CONSTRAINT catalogue_entry_level_known CHECK (required_level BETWEEN 1 AND 7)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE catalogue_entry`);
  }
}
