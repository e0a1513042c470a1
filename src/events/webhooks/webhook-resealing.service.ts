import { Injectable, OnModuleInit } from '@nestjs/common';
import { StartupTasks, Transactions } from '../../platform/database';
import { WebhookSecretsService } from './webhook-secrets.service';
import { WebhookRepository } from './webhook.repository';

/** Encrypts the secrets of webhooks with the first key before the first request, so that an old key can be removed. */
@Injectable()
export class WebhookResealingService implements OnModuleInit {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly secrets: WebhookSecretsService,
    private readonly transactions: Transactions,
    private readonly startup: StartupTasks,
  ) {}

  onModuleInit(): void {
    this.startup.add({ name: 'secrets of webhooks', stage: 'secrets', run: () => this.reseal() });
  }

  private async reseal(): Promise<void> {
    for (const { id } of await this.webhooks.list()) await this.transactions.run(() => this.resealOne(id));
  }

  private async resealOne(id: string): Promise<void> {
    const webhook = await this.webhooks.findLocked(id);
    const fresh = webhook ? this.secrets.renew(webhook) : {};
    if (Object.keys(fresh).length > 0) await this.webhooks.replaceSealed(id, fresh);
  }
}
