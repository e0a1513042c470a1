import { Injectable } from '@nestjs/common';
import { SecretBoxError } from '../../platform/crypto';
import { isDatabaseUnavailable } from '../../platform/database';
import { SentDelivery } from '../../platform/outbound/deliveries';
import { OutboundClient, OutboundError } from '../../platform/outbound';
import { isStorable } from '../../platform/util';
import { SecurityEventsService } from './security-events.service';
import { WebhookSecretsService } from './webhook-secrets.service';
import { Webhook } from './webhook.entity';

const DEADLINE_MS = 10_000;
/** Characters of the answer that are kept. */
const KEPT = 500;

interface SignedRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends one signed delivery, in the format of the webhook. */
@Injectable()
export class WebhookSenderService {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly secrets: WebhookSecretsService,
    private readonly signals: SecurityEventsService,
  ) {}

  /** Never fails: the result says why there was no answer. */
  async send(webhook: Webhook, eventId: string, payload: string): Promise<SentDelivery> {
    try {
      const { body, headers: signed } = await this.sign(webhook, eventId, payload);
      const headers = { ...this.secrets.openHeaders(webhook), 'user-agent': 'Castellan-Webhooks', ...signed };
      const delivery = { url: webhook.url, headers, body, deadlineMs: DEADLINE_MS };
      const { status, text } = await this.outbound.deliver(delivery);
      return { isDelivered: isAccepted(webhook, status), status, answer: beginningOf(text), error: null };
    } catch (error) {
      const reason = reasonOf(error);
      return { isDelivered: reason === 'busy' ? null : false, status: null, answer: null, error: reason };
    }
  }

  private async sign(webhook: Webhook, eventId: string, payload: string): Promise<SignedRequest> {
    if (webhook.format === 'caep') {
      const headers = { 'content-type': 'application/secevent+jwt', accept: 'application/json' };
      return { headers, body: await this.signals.sign(payload, webhook.audience ?? '') };
    }
    const signature = this.secrets.sign(webhook, eventId, new Date(), payload);
    return { headers: { 'content-type': 'application/json', ...signature }, body: payload };
  }
}

/** RFC 8935 §2.2: 202 alone accepts a token. Standard Webhooks: any 2xx. */
const isAccepted = ({ format }: Webhook, status: number): boolean =>
  format === 'caep' ? status === 202 : status >= 200 && status < 300;

function reasonOf(error: unknown): string {
  if (error instanceof OutboundError) return error.reason;
  if (error instanceof SecretBoxError) return 'secret_unreadable';
  if (isDatabaseUnavailable(error)) return 'busy';
  return 'not_sent';
}

const beginningOf = (text: string): string =>
  Array.from(isStorable(text) ? text : text.replaceAll('\0', '').toWellFormed())
    .slice(0, KEPT)
    .join('');
