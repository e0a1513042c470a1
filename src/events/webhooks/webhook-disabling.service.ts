import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Transactions } from '../../platform/database';
import { Log } from '../../platform/logging';
import { AccountEventsService, UserRepository, userView } from '../../users';
import { webhookTarget } from './webhook-audit';
import { WebhookRepository } from './webhook.repository';

/** Disables webhooks whose receiver did not accept a delivery at any attempt, and notifies the owner. */
@Injectable()
export class WebhookDisablingService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly users: UserRepository,
    private readonly events: AccountEventsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly log: Log,
  ) {}

  async disable(id: string): Promise<void> {
    await this.transactions.run(async () => {
      const webhook = await this.webhooks.findLocked(id);
      if (!webhook?.enabled) return;
      await this.webhooks.update(id, { enabled: false });
      await this.audit.record({
        action: 'webhook.disable',
        target: webhookTarget(webhook),
        before: { enabled: true },
        after: { enabled: false },
        reason: 'The receiver did not accept a delivery at any attempt',
      });
      this.log.warn('Disabled a webhook whose receiver accepts nothing', { webhook_id: id });
      const owner = webhook.ownerId === null ? null : await this.users.findById(webhook.ownerId);
      if (owner) await this.events.announce({ type: 'webhook_disabled', user: userView(owner), webhook: webhook.name });
    });
  }
}
