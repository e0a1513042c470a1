import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateImportedUsers1760007100000 implements MigrationInterface {
  name = 'CreateImportedUsers1760007100000';
  creates = ['imported_user', 'imported_user_by_user', 'imported_user_pk'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE imported_user (
        source varchar(16) NOT NULL,
        source_id varchar(255) NOT NULL,
        user_id uuid NOT NULL,
        made boolean NOT NULL,
        imported_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT imported_user_pk PRIMARY KEY (source, source_id),
        CONSTRAINT imported_user_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX imported_user_by_user ON imported_user (user_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE imported_user`);
  }
}
