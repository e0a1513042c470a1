import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Receivers of events, and what is delivered to them. */
export class CreateWebhooks1760040001000 implements MigrationInterface {
  name = 'CreateWebhooks1760040001000';
  creates = [
    'webhook',
    'webhook_by_owner',
    'webhook_delivery',
    'webhook_delivery_by_time',
    'webhook_delivery_by_webhook',
    'webhook_delivery_pending',
    'webhook_delivery_pk',
    'webhook_pk',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook (
        id uuid NOT NULL,
        name varchar(100) NOT NULL,
        url varchar(2000) NOT NULL,
        types jsonb NOT NULL,
        enabled boolean NOT NULL,
        headers text NOT NULL,
        secret text NOT NULL,
        former_secret text,
        former_secret_until timestamptz(3),
        owner_id uuid,
        position bigint NOT NULL,
        position_id uuid NOT NULL,
        position_ordinal int NOT NULL,
        leased_by uuid,
        leased_until timestamptz(3),
        last_success_at timestamptz(3),
        failing_since timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT webhook_pk PRIMARY KEY (id),
        CONSTRAINT webhook_owner_fk FOREIGN KEY (owner_id) REFERENCES user_account (id) ON DELETE SET NULL
      )`);
    await runner.query('CREATE INDEX webhook_by_owner ON webhook (owner_id)');
    await runner.query(`
      CREATE TABLE webhook_delivery (
        id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        at timestamptz(3) NOT NULL DEFAULT now(),
        event_id uuid NOT NULL,
        event_type varchar(80) NOT NULL,
        subject varchar(200) NOT NULL,
        position bigint NOT NULL,
        payload text NOT NULL,
        state varchar(16) NOT NULL,
        attempts smallint NOT NULL DEFAULT 0,
        next_at timestamptz(3) NOT NULL DEFAULT now(),
        attempted_at timestamptz(3),
        status smallint,
        answer varchar(500),
        error varchar(32),
        CONSTRAINT webhook_delivery_pk PRIMARY KEY (id),
        CONSTRAINT webhook_delivery_webhook_fk FOREIGN KEY (webhook_id) REFERENCES webhook (id) ON DELETE CASCADE,
        CONSTRAINT webhook_delivery_state_known CHECK (state IN ('pending', 'delivered', 'failed'))
      )`);
    await runner.query('CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook_id, at DESC, id DESC)');
    await runner.query(`
      CREATE INDEX webhook_delivery_pending ON webhook_delivery (webhook_id, position, event_id)
      WHERE state = 'pending'`);
    await runner.query('CREATE INDEX webhook_delivery_by_time ON webhook_delivery (at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_delivery');
    await runner.query('DROP TABLE webhook');
  }
}
