import { Injectable } from '@nestjs/common';
import { AuditEntry, AuditService } from '../../audit';
import { Transactions } from '../../platform/database';
import { Log } from '../../platform/logging';
import { AccountEventsService, UserRepository, userView } from '../../users';
import { webhookTarget } from './webhook-audit';
import { WebhookAuthorityService } from './webhook-authority.service';
import type { DisabledReason, Webhook } from './webhook.entity';
import { WebhookRepository } from './webhook.repository';
import { webhookActs } from './webhook.acts';

/** Disables webhooks that must not or cannot deliver. They continue where they stopped when they are enabled again. */
@Injectable()
export class WebhookDisablingService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly authority: WebhookAuthorityService,
    private readonly users: UserRepository,
    private readonly events: AccountEventsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly log: Log,
  ) {}

  /** For a receiver that did not accept a delivery at any attempt. Notifies the owner. */
  async disable(id: string): Promise<void> {
    await this.transactions.run(async () => {
      const webhook = await this.webhooks.findLocked(id);
      if (!webhook?.enabled) return;
      const reason = 'The receiver did not accept a delivery at any attempt';
      await this.write(webhook, 'receiver_failed', { after: { enabled: false }, reason });
      this.log.warn('Disabled a webhook whose receiver accepts nothing', { webhook_id: id });
      const owner = webhook.ownerId === null ? null : await this.users.findById(webhook.ownerId);
      if (owner) await this.events.announce({ type: 'webhook_disabled', user: userView(owner), webhook: webhook.name });
    });
  }

  /** Whether the user who last set the webhook may still send events. If not, disables it. */
  async requireSetter(webhook: Webhook): Promise<boolean> {
    if (await this.authority.maySend(webhook)) return true;
    await this.transactions.run(() => this.disableForSetter(webhook.id));
    return false;
  }

  /** Another user may have set it meanwhile. */
  private async disableForSetter(id: string): Promise<void> {
    const webhook = await this.webhooks.findLocked(id);
    if (!webhook?.enabled || (await this.authority.maySend(webhook))) return;
    await this.write(webhook, 'setter_unauthorized', {
      after: { enabled: false, set_by: webhook.setBy },
      reason: 'The user who last set it may no longer send events',
    });
    const about = { webhook_id: id, set_by: webhook.setBy };
    this.log.warn('Disabled a webhook whose setter may not send events', about);
  }

  private async write(
    webhook: Webhook,
    disabledReason: DisabledReason,
    entry: Pick<AuditEntry, 'after' | 'reason'>,
  ): Promise<void> {
    await this.webhooks.update(webhook.id, { enabled: false, disabledReason });
    const target = webhookTarget(webhook);
    await this.audit.record(webhookActs.disable, { target, before: { enabled: true }, ...entry });
  }
}
