import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit';
import { RequestContext } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { Messenger } from '../delivery';
import { DeliveryOutcome, maskTarget } from '../message';
import { CodeBudget } from '../codes/code-budget';
import { CodeTargets } from '../codes/code-target';
import { codeErrors } from '../codes/codes.errors';
import { keyAt } from './message-template-administration';
import { samples } from './samples';
import { nameOf } from './stored-templates';
import { TemplateAddress } from './template';

/** Sends samples, by which an administrator sees that text and channel work. */
@Injectable()
export class TemplateTests {
  constructor(
    private readonly targets: CodeTargets,
    private readonly budget: CodeBudget,
    private readonly messenger: Messenger,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
  ) {}

  /**
   * Never a real code, but it costs as much: what bounds the codes of a client and of a channel bounds these. Errors:
   * `not_found`, `validation_failed`, `rate_limited`, `verification_disabled` where the channel is not set up,
   * `delivery_failed` where it refuses.
   */
  async send(address: TemplateAddress, typed: string, request: RequestContext): Promise<DeliveryOutcome> {
    const key = keyAt(address);
    const { channel, purpose, locale: language } = key;
    const to = await this.targets.read(channel, typed);
    if (!(await this.messenger.isOffered(channel))) throw codeErrors.verificationDisabled();
    await this.budget.reserveSample(to, request.limitKey);
    const target = to.address;
    await this.transactions.run(() =>
      this.audit.record({
        action: 'message_template.test',
        target: { type: 'message_template', id: nameOf(key) },
        after: { target: maskTarget(channel, target) },
      }),
    );
    const userId = request.caller?.userId;
    const message = { channel, purpose, target, language, values: samples, ...(userId && { userId }) };
    const outcome = await this.messenger.send(message);
    if (outcome === 'rejected' || outcome === 'throttled') throw codeErrors.deliveryFailed();
    return outcome;
  }
}
