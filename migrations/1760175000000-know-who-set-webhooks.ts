import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who last set what a webhook sends, and why the service disabled it. Webhooks from before have the user whom the audit log
 * names, also a deleted one; without one, they belong to the service. A former version changes webhooks without becoming
 * their setter.
 */
export class KnowWhoSetWebhooks1760175000000 implements MigrationInterface {
  name = 'KnowWhoSetWebhooks1760175000000';
  creates = [];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`
      ALTER TABLE webhook ADD COLUMN set_by uuid, ADD COLUMN disabled_reason varchar(32),
        ADD CONSTRAINT webhook_disabled_reason_known CHECK (disabled_reason IN ('receiver_failed', 'setter_unauthorized'))`);
    // An update of the name alone sets nothing that is sent.
    await runner.query(`
      UPDATE webhook SET set_by = (
        SELECT event.actor_id FROM audit_event AS event
        WHERE event.target_type = 'webhook' AND event.target_id = webhook.id::text AND event.outcome = 'success' AND event.actor_id IS NOT NULL
          AND (event.action = 'webhook.create' OR event.action = 'webhook.update'
            AND event.before - 'name' IS DISTINCT FROM event.after - 'name')
        ORDER BY event.at DESC, event.id DESC LIMIT 1)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook DROP COLUMN disabled_reason, DROP COLUMN set_by');
  }
}
