import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every version of a template; the latest is effective. A version without a text is the default. */
export class CreateMessageTemplates1760001002000 implements MigrationInterface {
  name = 'CreateMessageTemplates1760001002000';
  creates = ['message_template', 'message_template_pk'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE message_template (
        channel varchar(16) NOT NULL,
        purpose varchar(32) NOT NULL,
        locale varchar(8) NOT NULL,
        version integer NOT NULL,
        subject varchar(200),
        text text,
        html text,
        provider_template varchar(100),
        changed_at timestamptz(3) NOT NULL DEFAULT now(),
        changed_by uuid,
        reason varchar(500),
        CONSTRAINT message_template_pk PRIMARY KEY (channel, purpose, locale, version)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE message_template`);
  }
}
