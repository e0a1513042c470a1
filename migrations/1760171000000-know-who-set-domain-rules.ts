import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who last set the rule of a domain. Rules from before have the user whom the audit log names; without one, nobody joins by
 * them until they are saved again. A former version changes rules without becoming their setter.
 */
export class KnowWhoSetDomainRules1760171000000 implements MigrationInterface {
  name = 'KnowWhoSetDomainRules1760171000000';
  creates = ['organization_domain_by_setter'];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a writer of the users, all of them wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`
      ALTER TABLE organization_domain ADD COLUMN rule_set_by uuid,
        ADD CONSTRAINT organization_domain_setter_fk FOREIGN KEY (rule_set_by) REFERENCES user_account (id) ON DELETE SET NULL`);
    await runner.query(`
      UPDATE organization_domain AS rule SET rule_set_by = (
        SELECT account.id FROM audit_event AS event LEFT JOIN user_account AS account ON account.id = event.actor_id
        WHERE event.target_id = rule.organization_id::text AND event.action = 'organization.update_domain'
          AND event.outcome = 'success' AND event.after->>'domain' = rule.domain
        ORDER BY event.at DESC, event.id DESC LIMIT 1)
      WHERE members_join`);
    await runner.query('CREATE INDEX organization_domain_by_setter ON organization_domain (rule_set_by)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organization_domain DROP COLUMN rule_set_by');
  }
}
