import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateMessageDeliveries1760001001000 implements MigrationInterface {
  name = 'CreateMessageDeliveries1760001001000';
  creates = [
    'message_delivery',
    'message_delivery_by_target',
    'message_delivery_by_time',
    'message_delivery_by_user',
    'message_delivery_pk',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE message_delivery (
        id uuid NOT NULL,
        at timestamptz(3) NOT NULL DEFAULT now(),
        channel varchar(16) NOT NULL,
        purpose varchar(32) NOT NULL,
        target varchar(254) NOT NULL,
        user_id uuid,
        outcome varchar(16) NOT NULL,
        provider varchar(32),
        provider_message_id varchar(128),
        provider_code varchar(128),
        cost_class varchar(32),
        CONSTRAINT message_delivery_pk PRIMARY KEY (id),
        CONSTRAINT message_delivery_outcome_known
          CHECK (outcome IN ('accepted', 'rejected', 'throttled', 'unknown'))
      )`);
    await runner.query(`CREATE INDEX message_delivery_by_time ON message_delivery (at DESC, id DESC)`);
    await runner.query(
      `CREATE INDEX message_delivery_by_user ON message_delivery (user_id, at DESC) WHERE user_id IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX message_delivery_by_target ON message_delivery (target, at DESC)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE message_delivery`);
  }
}
