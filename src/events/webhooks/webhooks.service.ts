import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { EventFeedService } from '../feed';
import { Caller } from '../../platform/context';
import { newId } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { ChangeWebhookDto, CreateWebhookDto, WebhookDto, webhookDto } from './dto/webhook.dto';
import { auditedWebhook, webhookTarget } from './webhook-audit';
import { SecurityEventsService } from './security-events.service';
import { changesDeliveries, WebhookAuthorityService } from './webhook-authority.service';
import { WebhookInputService } from './webhook-input.service';
import { WebhookSecretsService } from './webhook-secrets.service';
import { Webhook } from './webhook.entity';
import { webhookErrors } from './webhook.errors';
import { placeColumns, WebhookChange, WebhookRepository } from './webhook.repository';
import { webhookActs } from './webhook.acts';

const MAX_WEBHOOKS = 50;

/** Manages webhooks. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly secrets: WebhookSecretsService,
    private readonly input: WebhookInputService,
    private readonly authority: WebhookAuthorityService,
    private readonly feed: EventFeedService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly signals: SecurityEventsService,
  ) {}

  async list(): Promise<WebhookDto[]> {
    return (await this.webhooks.list()).map((webhook) => this.shown(webhook));
  }

  /** Throws `not_found`. */
  async find(id: string): Promise<WebhookDto> {
    return this.shown(await this.existing(this.webhooks.find(id)));
  }

  /** The webhook gets events from now on. Throws `validation_failed`, or for tokens `permission_denied`. */
  async create(caller: Caller, body: CreateWebhookDto): Promise<{ webhook: WebhookDto; secret: string }> {
    await this.input.checkUrl(body.url);
    const headers = this.input.headersOf(body);
    const { name, url, format = 'standard_webhooks', audience = null, types = [], enabled = true } = body;
    this.input.checkAudience(format, audience);
    await this.authority.requireTokens(caller, format);
    if (format === 'caep') await this.signals.prepare();
    const id = newId();
    const secret = this.secrets.create();
    return this.transactions.run(async () => {
      await this.webhooks.lock();
      if ((await this.webhooks.count()) >= MAX_WEBHOOKS) {
        const field = { field: 'name', code: 'most_webhooks', params: { max: MAX_WEBHOOKS } };
        throw platformErrors.validationFailed({ fields: [field] });
      }
      await this.webhooks.insert({
        ...{ id, name, url, format, audience, types, enabled, ownerId: caller.userId, setBy: caller.userId },
        headers: this.secrets.sealHeaders(id, headers),
        secret: this.secrets.sealSecret(id, secret),
        ...placeColumns(await this.feed.end()),
      });
      const webhook = await this.existing(this.webhooks.find(id));
      const after = auditedWebhook(webhook, headers);
      await this.audit.record(webhookActs.create, { target: webhookTarget(webhook), after });
      return { webhook: this.shown(webhook), secret };
    });
  }

  /**
   * Throws `validation_failed`, `not_found`, `permission_denied`, for another URL `reauthentication_required`, or
   * `events_expired` if it would continue after a gap.
   */
  async change(caller: Caller, id: string, body: ChangeWebhookDto): Promise<WebhookDto> {
    await this.authority.requireEvents(caller, body);
    await this.input.checkUrl(body.url);
    return this.transactions.run(async () => {
      const before = await this.existing(this.webhooks.findLocked(id));
      await this.authority.requireTokens(caller, before.format, body);
      if (body.audience !== undefined) this.input.checkAudience(before.format, body.audience);
      if (body.enabled && !before.enabled && (await this.feed.mayHaveExpired(before.position))) {
        throw webhookErrors.eventsExpired();
      }
      const isMoved = body.url !== undefined && body.url !== before.url;
      if (isMoved) await this.authority.requireRecentLogin(caller);
      const oldHeaders = this.secrets.openHeadersIfPossible(before);
      const headers = this.input.headersAfter(body, { url: before.url, headers: oldHeaders });
      const sealed = headers && { headers: this.secrets.sealHeaders(id, headers) };
      await this.webhooks.update(id, { ...fieldsAfter(caller, before, body), ...sealed });
      const after = await this.existing(this.webhooks.find(id));
      await this.audit.record(webhookActs.update, {
        target: webhookTarget(after),
        before: auditedWebhook(before, oldHeaders),
        after: { ...auditedWebhook(after, headers ?? oldHeaders), ...(isMoved && { url_changed: true }) },
      });
      return this.shown(after);
    });
  }

  /** Also deletes its deliveries. Throws `not_found`. */
  async delete(id: string): Promise<void> {
    await this.transactions.run(async () => {
      const before = await this.existing(this.webhooks.findLocked(id));
      await this.webhooks.delete(id);
      await this.audit.record(webhookActs.delete, {
        target: webhookTarget(before),
        before: auditedWebhook(before, this.secrets.openHeadersIfPossible(before)),
      });
    });
  }

  /** Returns the new secret. During the overlap, both sign. Throws `not_found`. */
  rotateSecret(id: string, overlapSeconds: number): Promise<string> {
    const secret = this.secrets.create();
    return this.transactions.run(async () => {
      const webhook = await this.existing(this.webhooks.findLocked(id));
      await this.webhooks.replaceSecret(id, this.secrets.sealSecret(id, secret), overlapSeconds);
      const after = { overlap_seconds: overlapSeconds };
      await this.audit.record(webhookActs.rotateSecret, { target: webhookTarget(webhook), after });
      return secret;
    });
  }

  /** Delivers the events since the time again, before later ones. Throws `not_found`. */
  async replay(id: string, from: Date): Promise<void> {
    await this.transactions.run(async () => {
      const webhook = await this.existing(this.webhooks.findLocked(id));
      await this.webhooks.moveTo(id, await this.feed.startOf(from));
      const after = { from: from.toISOString() };
      await this.audit.record(webhookActs.replay, { target: webhookTarget(webhook), after });
    });
  }

  private async existing(found: Promise<Webhook | null>): Promise<Webhook> {
    const webhook = await found;
    if (!webhook) throw platformErrors.notFound();
    return webhook;
  }

  private shown(webhook: Webhook): WebhookDto {
    return webhookDto(webhook, this.secrets.openHeadersIfPossible(webhook) ?? {});
  }
}

/** Who changes what is sent answers for it from then on. */
function fieldsAfter({ userId }: Caller, before: Webhook, body: ChangeWebhookDto): WebhookChange {
  const { name = before.name, url = before.url, types = before.types, enabled = before.enabled } = body;
  const { audience = before.audience } = body;
  return {
    ...{ name, url, audience, types, enabled },
    ...(changesDeliveries(body) && { setBy: userId, disabledReason: enabled ? null : disabledReasonOf(before) }),
    failingSince: enabled && !before.enabled ? null : before.failingSince,
  };
}

const disabledReasonOf = ({ enabled, disabledReason }: Webhook): Webhook['disabledReason'] =>
  enabled ? null : disabledReason;
