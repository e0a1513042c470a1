import { Injectable } from '@nestjs/common';
import { DeliveryOutcome, MessengerService, SampleMessagesService, TemplateAddress } from '../messaging';
import { RequestContext } from '../platform/context';
import { CodeRateLimitsService } from './code-rate-limits.service';
import { CodeTargetsService } from './code-targets.service';
import { codeErrors } from './codes.errors';

/**
 * Sends sample messages under the limits of codes, because an administrator must not flood a contact or channel either.
 */
@Injectable()
export class TestMessagesService {
  constructor(
    private readonly samples: SampleMessagesService,
    private readonly targets: CodeTargetsService,
    private readonly budget: CodeRateLimitsService,
    private readonly messenger: MessengerService,
  ) {}

  /**
   * Sends sample values, never a real code. Counts towards the limits of codes per client and channel. Errors:
   * `not_found`, `validation_failed`, `rate_limited`, `verification_disabled` if the channel is not configured,
   * `delivery_failed` if it rejects the message.
   */
  async send(address: TemplateAddress, target: string, request: RequestContext): Promise<DeliveryOutcome> {
    const template = this.samples.find(address);
    const to = await this.targets.read(template.channel, target);
    if (!(await this.messenger.isOffered(template.channel))) throw codeErrors.verificationDisabled();
    await this.budget.reserveSample(to, request.limitKey);
    const outcome = await this.samples.send(template, to.address, request.caller?.userId);
    if (outcome === 'rejected' || outcome === 'throttled') throw codeErrors.deliveryFailed();
    return outcome;
  }
}
