import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { Log } from '../../platform/logging';
import { DeadlineExceeded, withDeadline } from '../../platform/time';
import { DeliveryOutcome, Message, MessageChannel } from '../message';
import { MessageTemplatesService, RenderedMessage } from '../templates/message-templates.service';
import { DeliveriesService } from './deliveries.service';
import { Mailer } from './mailer';
import { SendResult, TIMEOUT } from './send-result';
import { SmsSender } from './sms-sender';

/** Longer than a port may take, for those of hosts that do not keep to it. */
const PATIENCE_MS = 6_000;

/** Sends messages to people, over whatever their channel is set up to. */
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

  /** Whether the channel can be used as things are set up now. */
  isOffered(channel: MessageChannel): Promise<boolean> {
    return channel === 'email' ? this.mailer.isOffered() : this.smsSender.isOffered();
  }

  /**
   * Sends the message once, within six seconds, and returns the outcome; a failure of a provider is an outcome, never
   * an
   * error. Not within a transaction, which would stay open as long.
   */
  async send(message: Message): Promise<DeliveryOutcome> {
    if (this.transactions.isOpen) throw new Error('A message is sent after the transaction, not within');
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
      // What it says may quote the message.
      const name = error instanceof Error ? error.name : typeof error;
      this.log.warn('A channel failed instead of telling an outcome', { channel: message.channel, error: name });
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
