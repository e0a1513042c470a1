import { Injectable } from '@nestjs/common';
import { AuditEntry, AuditService } from '../../audit';
import { EventFeedService } from '../feed';
import { Transactions } from '../../platform/database';
import { Log } from '../../platform/logging';
import { AccountEventsService, UserRepository, userView } from '../../users';
import { webhookTarget } from './webhook-audit';
import { WebhookAuthorityService } from './webhook-authority.service';
import { DisabledReason, isSuspended, Webhook } from './webhook.entity';
import { WebhookRepository } from './webhook.repository';
import { webhookActs } from './webhook.acts';

/** Stops webhooks that must not or cannot deliver. They continue where they stopped when they may again, or are enabled. */
@Injectable()
export class WebhookDisablingService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly authority: WebhookAuthorityService,
    private readonly feed: EventFeedService,
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

  /**
   * Whether the user who last set the webhook may send events now. If not, the webhook is suspended; who may only disable
   * users must not stop it for good. It is disabled if the user was deleted, or if events were deleted while it waited.
   */
  async requireSetter(webhook: Webhook): Promise<boolean> {
    const maySend = await this.authority.maySend(webhook);
    if (maySend !== isSuspended(webhook)) return maySend;
    return this.transactions.run(() => this.updateSuspension(webhook.id));
  }

  /** Another user may have set it meanwhile. */
  private async updateSuspension(id: string): Promise<boolean> {
    const webhook = await this.webhooks.findLocked(id);
    if (!webhook?.enabled) return false;
    const maySend = await this.authority.maySend(webhook);
    if (maySend !== isSuspended(webhook)) return maySend;
    const isLost = maySend
      ? await this.feed.mayHaveExpired(webhook.position)
      : webhook.setBy === null || (await this.users.findById(webhook.setBy)) === null;
    if (isLost) await this.disableForSetter(webhook);
    else await (maySend ? this.restore(webhook) : this.suspend(webhook));
    return maySend && !isLost;
  }

  private async disableForSetter(webhook: Webhook): Promise<void> {
    await this.write(webhook, 'setter_unauthorized', {
      after: { enabled: false, set_by: webhook.setBy },
      reason: 'The user who last set it may no longer send events',
    });
    this.log.warn('Disabled a webhook whose setter may not send events', aboutSetter(webhook));
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

  private async suspend(webhook: Webhook): Promise<void> {
    await this.webhooks.update(webhook.id, { disabledReason: 'setter_unauthorized' });
    const after = { set_by: webhook.setBy };
    await this.audit.record(webhookActs.suspend, { target: webhookTarget(webhook), after });
    this.log.warn('Suspended a webhook whose setter may not send events', aboutSetter(webhook));
  }

  private async restore(webhook: Webhook): Promise<void> {
    await this.webhooks.update(webhook.id, { disabledReason: null });
    const after = { set_by: webhook.setBy };
    await this.audit.record(webhookActs.restore, { target: webhookTarget(webhook), after });
    this.log.info('A webhook sends again, because its setter may', aboutSetter(webhook));
  }
}

const aboutSetter = ({ id, setBy }: Webhook): { webhook_id: string; set_by: string | null } => ({
  webhook_id: id,
  set_by: setBy,
});
