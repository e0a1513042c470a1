import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit';
import { currentRequest } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { ContactForms, normalizeEmail } from '../../users';
import { Messenger } from '../delivery';
import { DeliveryOutcome, maskTarget, MessageChannel } from '../message';
import { codeErrors } from '../codes/codes.errors';
import { keyAt } from './message-template-administration';
import { samples } from './samples';
import { nameOf } from './stored-templates';
import { TemplateAddress } from './template';

/** Sends samples, by which an administrator sees that text and channel work. */
@Injectable()
export class TemplateTests {
  constructor(
    private readonly contacts: ContactForms,
    private readonly messenger: Messenger,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
  ) {}

  /**
   * Never a real code. Errors: `not_found`, `validation_failed`, `verification_disabled` where the channel is not set up,
   * `delivery_failed` where it refuses.
   */
  async send(address: TemplateAddress, typed: string): Promise<DeliveryOutcome> {
    const key = keyAt(address);
    const { channel, purpose, locale: language } = key;
    const target = await this.readTarget(channel, typed);
    if (!(await this.messenger.isOffered(channel))) throw codeErrors.verificationDisabled();
    await this.transactions.run(() =>
      this.audit.record({
        action: 'message_template.test',
        target: { type: 'message_template', id: nameOf(key) },
        after: { target: maskTarget(channel, target) },
      }),
    );
    const userId = currentRequest()?.caller?.userId;
    const message = { channel, purpose, target, language, values: samples, ...(userId && { userId }) };
    const outcome = await this.messenger.send(message);
    if (outcome === 'rejected' || outcome === 'throttled') throw codeErrors.deliveryFailed();
    return outcome;
  }

  private async readTarget(channel: MessageChannel, typed: string): Promise<string> {
    const target = channel === 'email' ? normalizeEmail(typed)?.display : await this.contacts.readPhone(typed);
    if (target !== undefined) return target;
    const code = channel === 'email' ? 'email' : 'phone';
    throw platformErrors.validationFailed({ fields: [{ field: 'target', code }] });
  }
}
