import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the handlers of hosts have read the feed of events. */
export class CreateEventConsumers1760125000000 implements MigrationInterface {
  name = 'CreateEventConsumers1760125000000';
  creates = ['event_consumer', 'event_consumer_pk'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_consumer (
        name varchar(100) NOT NULL,
        position bigint NOT NULL,
        position_id uuid NOT NULL,
        position_ordinal int NOT NULL,
        leased_by uuid,
        leased_until timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT event_consumer_pk PRIMARY KEY (name)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_consumer');
  }
}
