import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Activity counted once per hour: charts over months read a few thousand short rows instead of the audit log. */
export class CreateActivityHours1760006000000 implements MigrationInterface {
  name = 'CreateActivityHours1760006000000';
  creates = ['activity_hour', 'activity_hour_pk'];

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
