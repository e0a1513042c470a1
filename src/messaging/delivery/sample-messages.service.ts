import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Transactions } from '../../platform/database';
import { DeliveryOutcome, maskTarget } from '../message/message';
import { keyAt } from '../templates/message-template-admin.service';
import { samples } from '../templates/samples';
import { nameOf } from '../templates/stored-template.cache';
import { TemplateAddress, TemplateKey } from '../templates/template';
import { messageTemplateActs } from '../templates/message-template.acts';
import { MessengerService } from './messenger.service';

/** Sends a template with sample values, so that an administrator can check the text and the channel. */
@Injectable()
export class SampleMessagesService {
  constructor(
    private readonly messenger: MessengerService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** Errors: `not_found`. */
  find(address: TemplateAddress): TemplateKey {
    return keyAt(address);
  }

  /**
   * Audits the attempt, then sends the message. The caller has validated the target and counted the message towards its
   * limits.
   * @param userId the administrator
   */
  async send(key: TemplateKey, target: string, userId: string | undefined): Promise<DeliveryOutcome> {
    const { channel, purpose, locale: language } = key;
    await this.transactions.run(() =>
      this.audit.record(messageTemplateActs.test, {
        target: { type: 'message_template', id: nameOf(key) },
        after: { target: maskTarget(channel, target) },
      }),
    );
    const message = { channel, purpose, target, language, values: samples, ...(userId && { userId }) };
    return this.messenger.send(message);
  }
}
