import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the code of a host declared when it was last applied. */
export class KeepHostDeclarations1760126000000 implements MigrationInterface {
  name = 'KeepHostDeclarations1760126000000';
  creates = ['host_declaration', 'host_declaration_pk'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE host_declaration (
        kind varchar(16) NOT NULL,
        name varchar(200) NOT NULL,
        content jsonb NOT NULL,
        CONSTRAINT host_declaration_pk PRIMARY KEY (kind, name)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE host_declaration');
  }
}
