import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What happened in each hour, counted once: charts over months read some thousand short rows instead of the audit. */
export class CreateActivityHours1760006000000 implements MigrationInterface {
  name = 'CreateActivityHours1760006000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE activity_hour (
        hour timestamptz(3) NOT NULL,
        logins integer NOT NULL,
        failed_logins integer NOT NULL,
        deliveries integer NOT NULL,
        failed_deliveries integer NOT NULL,
        active_sessions integer,
        CONSTRAINT activity_hour_pk PRIMARY KEY (hour)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE activity_hour`);
  }
}
