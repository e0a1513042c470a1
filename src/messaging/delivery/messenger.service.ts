import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { Log } from '../../platform/logging';
import { DeadlineExceeded, withDeadline } from '../../platform/util';
import { DeliveryOutcome, Message, MessageChannel } from '../message/message';
import { MessageTemplatesService, RenderedMessage } from '../templates/message-templates.service';
import { DeliveriesService } from './deliveries.service';
import { Mailer } from './mailer';
import { SendResult, TIMEOUT } from './send-result';
import { SmsSender } from './sms-sender';

/** Longer than the limit of the ports, for implementations of a host that exceed it. */
const PATIENCE_MS = 6_000;

/** Sends messages to users through the configured channels. */
@Injectable()
export class MessengerService {
  constructor(
    private readonly templates: MessageTemplatesService,
    private readonly mailer: Mailer,
    private readonly smsSender: SmsSender,
    private readonly deliveries: DeliveriesService,
    private readonly transactions: Transactions,
    private readonly log: Log,
  ) {}

  /** Whether the channel can be used with the current settings. */
  isOffered(channel: MessageChannel): Promise<boolean> {
    return channel === 'email' ? this.mailer.isOffered() : this.smsSender.isOffered();
  }

  /** Whether messages of the channel are not sent, but only shown at `/dev/inbox`. */
  isInbox(channel: MessageChannel): Promise<boolean> {
    return channel === 'email' ? this.mailer.isInbox() : this.smsSender.isInbox();
  }

  /**
   * Sends the message once, within six seconds, and returns the outcome. A provider's failure is an outcome, not an
   * error. Throws inside a transaction, which would otherwise stay open as long.
   */
  async send(message: Message): Promise<DeliveryOutcome> {
    if (this.transactions.isOpen) throw new Error('Messages must not be sent inside a transaction');
    const rendered = await this.templates.render(message);
    const id = newId();
    await this.deliveries.begin(id, message);
    const result = await this.handOver(id, message, rendered);
    await this.deliveries.finish(id, message, result);
    return result.outcome;
  }

  private async handOver(id: string, message: Message, rendered: RenderedMessage): Promise<SendResult> {
    try {
      return await withDeadline(PATIENCE_MS, this.give(id, message, rendered));
    } catch (error) {
      // The error message may quote the message, so only its name is logged.
      const name = error instanceof Error ? error.name : typeof error;
      this.log.warn('A message channel threw instead of returning an outcome', {
        channel: message.channel,
        error: name,
      });
      return {
        outcome: 'unknown',
        provider: 'custom',
        providerCode: error instanceof DeadlineExceeded ? TIMEOUT : name,
      };
    }
  }

  private give(
    id: string,
    { channel, purpose, target, language }: Message,
    what: RenderedMessage,
  ): Promise<SendResult> {
    const { subject = '', text, html, providerTemplate, parameters } = what;
    if (channel === 'email') {
      return this.mailer.send({ id, to: target, subject, text, language, ...(html !== undefined && { html }) });
    }
    return this.smsSender.send({
      id,
      to: target,
      purpose,
      language,
      text,
      parameters,
      ...(providerTemplate !== undefined && { providerTemplate }),
    });
  }
}
