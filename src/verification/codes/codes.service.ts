import { Injectable } from '@nestjs/common';
import { Audit, AuditTarget } from '../../audit';
import { RequestContext } from '../../platform/context';
import { newId, randomDigits } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { isLanguage } from '../../platform/i18n';
import { Jobs } from '../../platform/jobs';
import { SettingsReader } from '../../platform/settings';
import { User, UserDeletions, userTarget } from '../../users';
import { Messenger } from '../delivery';
import { CodePurpose, DeliveryOutcome, maskTarget, Message, MessageChannel } from '../message';
import { CodeBudget } from './code-budget';
import { CodeChannels } from './code-channels';
import { CodeDigest } from './code-digest';
import { CodePurposes } from './code-purposes';
import { CodeTarget, CodeTargets, contactOf } from './code-target';
import { CodeHolder, CodeRepository, FormerCode } from './code.repository';
import { codeLength, codeResend, codeTtl } from './code.settings';
import { codeErrors } from './codes.errors';

export interface CodeWish {
  readonly purpose: CodePurpose;
  readonly channel: MessageChannel;
  /** As typed. */
  readonly target: string;
}

export interface CodePromise {
  /** Seconds. */
  readonly expiresIn: number;
  readonly resendAfter: number;
}

/** A code to be sent, with whom it serves. */
interface Order extends Pick<CodeWish, 'purpose'>, Pick<Message, 'language'> {
  readonly target: CodeTarget;
  readonly holder: CodeHolder;
  readonly user?: User;
}

/** A code that may have arrived must work; one that was refused must not. */
const mayHaveArrived = (outcome: DeliveryOutcome): boolean => outcome === 'accepted' || outcome === 'unknown';

/** Sends codes that prove a contact. */
@Injectable()
export class Codes {
  constructor(
    private readonly targets: CodeTargets,
    private readonly purposes: CodePurposes,
    private readonly channels: CodeChannels,
    private readonly budget: CodeBudget,
    private readonly codes: CodeRepository,
    private readonly digest: CodeDigest,
    private readonly messenger: Messenger,
    private readonly settings: SettingsReader,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    private readonly jobs: Jobs,
    deletions: UserDeletions,
  ) {
    deletions.before((userId) => this.endFor(userId));
  }

  /**
   * For `login` and `reset_password` it is found out afterwards whose contact it is, so that neither the answer nor its
   * time tells. Errors: those of `CodePurposes`, `validation_failed`, `verification_disabled`, `rate_limited`, `code_daily_limit_reached`,
   * `code_resend_too_soon`, `delivery_failed`.
   */
  async send({ purpose, channel, target: typed }: CodeWish, request: RequestContext): Promise<CodePromise> {
    await this.purposes.requireOpen(purpose);
    const target = await this.targets.read(channel, typed);
    if (!(await this.channels.isOffered(channel))) throw codeErrors.verificationDisabled();
    await this.budget.reserve(target, request.limitKey);
    const { language, caller } = request;
    if (purpose === 'login' || purpose === 'reset_password') {
      const run = (): Promise<void> => this.sendToOwner({ purpose, target, language });
      this.jobs.soon({ name: 'codes to owners of contacts', run });
    } else {
      const holder = { userId: caller?.userId ?? null, sessionId: caller?.sessionId ?? null };
      const asker = purpose === 'bind' ? holder : { userId: null, sessionId: null };
      await this.sendNow({ purpose, target, language, holder: asker });
    }
    return { expiresIn: await this.settings.get(codeTtl), resendAfter: await this.settings.get(codeResend) };
  }

  /** Pending codes of the user end, in the caller's transaction. */
  async endFor(userId: string): Promise<void> {
    await this.codes.deleteOfUser(userId);
  }

  private async sendNow(order: Order): Promise<void> {
    if (!mayHaveArrived(await this.deliver(order))) throw codeErrors.deliveryFailed();
  }

  /** Where nobody owns the contact, or its owner may not come in, nothing is sent. */
  private async sendToOwner({ purpose, target, language }: Omit<Order, 'holder'>): Promise<void> {
    const user = await this.targets.findOwner(target);
    if (!user || (purpose === 'reset_password' && user.status !== 'active')) return;
    await this.deliver({
      purpose,
      target: { ...target, address: user[contactOf[target.channel]] ?? target.address },
      language: isLanguage(user.locale) ? user.locale : language,
      holder: { userId: user.id, sessionId: null },
      user,
    });
  }

  /**
   * The code is there before the message is. If the message was refused, the code is gone again and the one before it,
   * which may have arrived, is back.
   */
  private async deliver(order: Order): Promise<DeliveryOutcome> {
    const { purpose, target, language, user, holder } = order;
    const [length, ttlSeconds] = [await this.settings.get(codeLength), await this.settings.get(codeTtl)];
    const [id, code] = [newId(), randomDigits(length)];
    const former = await this.store(order, { id, code }, ttlSeconds);
    const values = { code, minutes: wholeMinutes(ttlSeconds), username: user?.username ?? '' };
    const { channel, address } = target;
    const owner = holder.userId === null ? {} : { userId: holder.userId };
    let outcome: DeliveryOutcome = 'rejected';
    try {
      outcome = await this.messenger.send({ channel, purpose, target: address, language, values, ...owner });
    } finally {
      if (!mayHaveArrived(outcome)) await this.codes.withdraw(id, former);
    }
    return outcome;
  }

  private store(
    { purpose, target, holder, user }: Order,
    { id, code }: { id: string; code: string },
    ttlSeconds: number,
  ): Promise<FormerCode | undefined> {
    const place = { purpose, channel: target.channel, key: target.key };
    const digest = this.digest.of({ ...place, id, code });
    return this.transactions.run(async () => {
      const former = await this.codes.put({ ...place, ...holder, id, digest }, ttlSeconds);
      await this.audit.record({
        action: 'code.send',
        target: auditTarget(id, user),
        after: { purpose, channel: target.channel, to: maskTarget(target.channel, target.key) },
      });
      return former;
    });
  }
}

/** What a message says, never more than it is; a minute is the least there are words for. */
function wholeMinutes(seconds: number): string {
  return String(Math.max(1, Math.floor(seconds / 60)));
}

function auditTarget(id: string, user: User | undefined): AuditTarget {
  return user ? userTarget(user) : { type: 'code', id };
}
