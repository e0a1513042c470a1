import { Injectable } from '@nestjs/common';
import { RequestContext } from '../platform/context';
import { Transactions } from '../platform/database';
import { isLanguage } from '../platform/i18n';
import { Scheduler } from '../platform/jobs';
import { SettingsReader } from '../platform/settings';
import { User } from '../users';
import { CodePurpose, mayHaveArrived, MessageChannel } from '../messaging';
import { CodeRateLimitsService } from './code-rate-limits.service';
import { CodeChannelRegistry } from './code-channel.registry';
import { CodeDeliveryService, CodeOrder } from './code-delivery.service';
import { CodePurposeRegistry } from './code-purpose.registry';
import { CodeTarget, CodeTargetsService, contactOf, provenTargets } from './code-targets.service';
import { codeResend, codeTtl } from './code.settings';
import { codeErrors } from './codes.errors';

export interface SendCodeInput {
  readonly purpose: CodePurpose;
  readonly channel: MessageChannel;
  /** As the user typed it. */
  readonly target: string;
}

export interface SendCodeResult {
  /** In seconds. */
  readonly expiresIn: number;
  readonly resendAfter: number;
}

/** Sends codes that verify a contact. */
@Injectable()
export class CodesService {
  constructor(
    private readonly targets: CodeTargetsService,
    private readonly purposes: CodePurposeRegistry,
    private readonly channels: CodeChannelRegistry,
    private readonly budget: CodeRateLimitsService,
    private readonly delivery: CodeDeliveryService,
    private readonly settings: SettingsReader,
    private readonly transactions: Transactions,
    private readonly jobs: Scheduler,
  ) {}

  /**
   * For `login` and `reset_password` the owner of the contact is looked up after the response, so that neither the
   * response nor its timing reveals whether an account has it. Errors: those of `CodePurposeRegistry`,
   * `validation_failed`, `verification_disabled`, `rate_limited`, `code_daily_limit_reached`, `code_resend_too_soon`,
   * `delivery_failed`.
   * @param browser hash of the secret that the browser receives with the response
   */
  async send(
    { purpose, channel, target: typed }: SendCodeInput,
    request: RequestContext,
    browser: string,
  ): Promise<SendCodeResult> {
    await this.purposes.requireOpen(purpose);
    const target = await this.targets.read(channel, typed);
    if (!(await this.channels.isOffered(channel))) throw codeErrors.verificationDisabled();
    await this.budget.reserve(target, request.limitKey);
    const { language, caller } = request;
    if (purpose === 'login' || purpose === 'reset_password') {
      this.sendToOwnerLater({ purpose, target, language, browser });
    } else {
      const holder = { userId: caller?.userId ?? null, sessionId: caller?.sessionId ?? null };
      const asker = purpose === 'bind' ? holder : { userId: null, sessionId: null };
      await this.sendNow({ purpose, target, language, browser, holder: asker });
    }
    return this.promise();
  }

  /**
   * The target for a password reset code: a verified contact, e-mail before phone, on an available channel. Errors:
   * `no_verified_contact`, `verification_disabled`.
   */
  async resetTarget(user: User): Promise<CodeTarget> {
    const proven = provenTargets(user);
    if (proven.length === 0) throw codeErrors.noVerifiedContact();
    for (const target of proven) if (await this.channels.isOffered(target.channel)) return target;
    throw codeErrors.verificationDisabled();
  }

  /**
   * Sends a password reset code after the transaction. Errors: `validation_failed`, `rate_limited`,
   * `code_daily_limit_reached`, `code_resend_too_soon`.
   */
  async sendReset(target: CodeTarget, { limitKey, language }: RequestContext): Promise<SendCodeResult> {
    await this.budget.reserve(target, limitKey);
    await this.transactions.afterCommit(() => {
      this.sendToOwnerLater({ purpose: 'reset_password', target, language });
    });
    return this.promise();
  }

  private async sendNow(order: CodeOrder): Promise<void> {
    if (!mayHaveArrived(await this.delivery.deliver(order))) throw codeErrors.deliveryFailed();
  }

  private async promise(): Promise<SendCodeResult> {
    return { expiresIn: await this.settings.get(codeTtl), resendAfter: await this.settings.get(codeResend) };
  }

  private sendToOwnerLater(order: Omit<CodeOrder, 'holder'>): void {
    this.jobs.runInBackground({ name: 'codes to account owners', run: () => this.sendToOwner(order) });
  }

  /** Sends nothing if no account has the contact, or its owner may not log in. */
  private async sendToOwner(order: Omit<CodeOrder, 'holder'>): Promise<void> {
    const { purpose, target, language } = order;
    const user = await this.targets.findOwner(target);
    if (!user || (purpose === 'reset_password' && user.status !== 'active')) {
      await this.delivery.pretend({ ...order, holder: { userId: null, sessionId: null } });
      return;
    }
    await this.delivery.deliver({
      ...order,
      target: { ...target, address: user[contactOf[target.channel]] ?? target.address },
      language: isLanguage(user.locale) ? user.locale : language,
      holder: { userId: user.id, sessionId: null },
      user,
    });
  }
}
