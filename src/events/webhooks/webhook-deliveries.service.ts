import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { FEED_START, feedEventDto } from '../feed';
import { Caller } from '../../platform/context';
import { newId } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { ConcurrencyLimitError, KeyedConcurrencyLimiter } from '../../platform/jobs';
import { CursorAnswer, CursorsService, placeOf } from '../../platform/lists';
import { WebhookDeliveryDto, webhookDeliveryDto, WebhookDeliveryQueryDto } from './dto/webhook-delivery.dto';
import { webhookTarget } from './webhook-audit';
import { WebhookDelivery } from './webhook-delivery.entity';
import { WebhookDeliveryRepository } from './webhook-delivery.repository';
import { WebhookSenderService } from './webhook-sender.service';
import { Webhook } from './webhook.entity';
import { WebhookRepository } from './webhook.repository';
import { webhookActs } from './webhook.acts';

/** Longer than an attempt: the queue attempts a test only if this process dies. */
const TEST_MS = 60_000;
/** Tests wait for receivers, so few may run; none waits for its turn. */
const TEST_LIMITS = { maxRunning: 4, maxRunningPerKey: 1, maxWaitingPerKey: 0 };
/** When a running test has ended. */
const RETRY_AFTER_SECONDS = 10;

/** Lists and repeats deliveries, and sends test events. */
@Injectable()
export class WebhookDeliveriesService {
  private readonly tests = new KeyedConcurrencyLimiter(TEST_LIMITS);

  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly sender: WebhookSenderService,
    private readonly cursors: CursorsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** Newest first. Throws `not_found`, or `validation_failed` for a cursor of another list. */
  async list(webhookId: string, query: WebhookDeliveryQueryDto): Promise<CursorAnswer<WebhookDeliveryDto>> {
    const list = `webhook_delivery|${webhookId}|${query.state ?? ''}`;
    const page = this.cursors.read(list, query);
    await this.requireWebhook(webhookId);
    const rows = await this.deliveries.list({ webhookId, state: query.state }, page.after, page.limit);
    return this.cursors.answer(list, page, rows, { item: webhookDeliveryDto, position: placeOf });
  }

  /** Queues the delivery again, with the same event id. Throws `not_found`. */
  async retry(webhookId: string, id: string): Promise<WebhookDeliveryDto> {
    return this.transactions.run(async () => {
      const webhook = await this.requireWebhook(webhookId);
      await this.requireDelivery(webhookId, id);
      await this.deliveries.restart(id);
      await this.audit.record(webhookActs.retry, { target: webhookTarget(webhook), after: { delivery_id: id } });
      return webhookDeliveryDto(await this.requireDelivery(webhookId, id));
    });
  }

  /**
   * Sends an event of type `webhook.test` at once, and only once, also to a disabled webhook. Throws `not_found`, or
   * `rate_limited` while another test of the webhook, or too many of others, are running.
   */
  async test(caller: Caller, webhookId: string): Promise<WebhookDeliveryDto> {
    return this.tests
      .run(webhookId, () => this.sendTest(caller, webhookId))
      .catch((error: unknown) => {
        if (!(error instanceof ConcurrencyLimitError)) throw error;
        throw platformErrors.rateLimited({ retryAfterSeconds: RETRY_AFTER_SECONDS });
      });
  }

  private async sendTest(caller: Caller, webhookId: string): Promise<WebhookDeliveryDto> {
    const { webhook, id, event, payload } = await this.beginTest(caller, webhookId);
    const { isDelivered, status, answer, error } = await this.sender.send(webhook, event, payload);
    const state = isDelivered ? 'delivered' : 'failed';
    await this.deliveries.settle([{ id, state, attempts: 1, delaySeconds: 0, status, answer, error }]);
    return webhookDeliveryDto(await this.requireDelivery(webhookId, id));
  }

  private beginTest(
    { userId }: Caller,
    webhookId: string,
  ): Promise<{ webhook: Webhook; id: string; event: string; payload: string }> {
    const [id, event] = [newId(), newId()];
    return this.transactions.run(async () => {
      const webhook = await this.requireWebhook(webhookId);
      const payload = JSON.stringify(testEvent(event, webhookId, userId));
      const nextAt = new Date(Date.now() + TEST_MS);
      await this.deliveries.insert({
        ...{ id, webhookId, payload, nextAt, subject: event, position: FEED_START.position },
        ...{ eventId: event, eventType: 'webhook.test' },
      });
      await this.audit.record(webhookActs.test, { target: webhookTarget(webhook) });
      return { webhook, id, event, payload };
    });
  }

  private async requireWebhook(id: string): Promise<Webhook> {
    const webhook = await this.webhooks.find(id);
    if (!webhook) throw platformErrors.notFound();
    return webhook;
  }

  private async requireDelivery(webhookId: string, id: string): Promise<WebhookDelivery> {
    const delivery = await this.deliveries.find(id, webhookId);
    if (!delivery) throw platformErrors.notFound();
    return delivery;
  }
}

const testEvent = (id: string, webhookId: string, userId: string): object =>
  feedEventDto(
    {
      id,
      type: 'webhook.test',
      at: new Date(),
      actor: { type: 'user', id: userId, name: null },
      subject: { type: 'webhook', id: webhookId, name: null },
      data: { version: 1 },
      requestId: null,
    },
    { seesNames: false },
  );
