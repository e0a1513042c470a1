import { Injectable } from '@nestjs/common';
import { AuditService, AuditTarget } from '../audit';
import { CodePurpose, DeliveryOutcome, maskTarget, mayHaveArrived, Message, MessengerService } from '../messaging';
import { newId, randomDigits } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { SettingsReader } from '../platform/settings';
import { User, userTarget } from '../users';
import { CodeDigestService } from './code-digest.service';
import { CodeTarget } from './code-targets.service';
import { CodeHolder, CodeRepository, NewCode } from './code.repository';
import { codeLength, codeTtl } from './code.settings';
import { codeActs } from './code.acts';

/** A code to send, and the user and session that may use it. */
export interface CodeOrder extends Pick<Message, 'language'> {
  readonly purpose: CodePurpose;
  readonly target: CodeTarget;
  readonly holder: CodeHolder;
  /** Hash of the secret of the browser that requested it. Undefined: a user requested it for another one. */
  readonly browser?: string | undefined;
  readonly user?: User;
}

interface MadeCode {
  readonly id: string;
  readonly code: string;
}

/** Generates a code, stores its digest and sends it. */
@Injectable()
export class CodeDeliveryService {
  constructor(
    private readonly codes: CodeRepository,
    private readonly digest: CodeDigestService,
    private readonly messenger: MessengerService,
    private readonly settings: SettingsReader,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /**
   * Stores the code before sending it. If the provider rejects the message, the code is deleted, and the previous one,
   * which may have arrived, is valid again.
   */
  async deliver(order: CodeOrder): Promise<DeliveryOutcome> {
    const { purpose, target, language, user, holder } = order;
    const ttlSeconds = await this.settings.get(codeTtl);
    const { id, code } = await this.make();
    await this.store(order, { id, code }, ttlSeconds);
    const values = { code, minutes: wholeMinutes(ttlSeconds), username: user?.username ?? '' };
    const { channel, address } = target;
    const owner = holder.userId === null ? {} : { userId: holder.userId };
    let outcome: DeliveryOutcome = 'rejected';
    try {
      outcome = await this.messenger.send({ channel, purpose, target: address, language, values, ...owner });
    } finally {
      if (!mayHaveArrived(outcome)) await this.codes.withdraw(id);
    }
    return outcome;
  }

  /**
   * Stores a code that is never sent, because no account has the contact. Attempts then count as for a known contact, so
   * that the limits do not reveal which contacts have an account.
   */
  async pretend(order: CodeOrder): Promise<void> {
    const made = await this.make();
    await this.codes.insert(this.newCode(order, made), await this.settings.get(codeTtl));
  }

  private async make(): Promise<MadeCode> {
    return { id: newId(), code: randomDigits(await this.settings.get(codeLength)) };
  }

  private newCode({ purpose, target, holder, browser }: CodeOrder, { id, code }: MadeCode): NewCode {
    const place = { purpose, channel: target.channel, key: target.key };
    return { ...place, ...holder, browser: browser ?? null, id, digest: this.digest.digest({ ...place, id, code }) };
  }

  private store(order: CodeOrder, made: MadeCode, ttlSeconds: number): Promise<void> {
    const { purpose, target, user } = order;
    return this.transactions.run(async () => {
      await this.codes.insert(this.newCode(order, made), ttlSeconds);
      await this.audit.record(codeActs.send, {
        target: auditTarget(made.id, user),
        after: { purpose, channel: target.channel, to: maskTarget(target.channel, target.key) },
      });
    });
  }
}

/** Rounded down, so that the message does not promise too much, but at least one minute. */
function wholeMinutes(seconds: number): string {
  return String(Math.max(1, Math.floor(seconds / 60)));
}

function auditTarget(id: string, user: User | undefined): AuditTarget {
  return user ? userTarget(user) : { type: 'code', id };
}
