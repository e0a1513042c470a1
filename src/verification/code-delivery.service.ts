import { Injectable } from '@nestjs/common';
import { AuditService, AuditTarget } from '../audit';
import { CodePurpose, DeliveryOutcome, maskTarget, mayHaveArrived, Message, MessengerService } from '../messaging';
import { newId, randomDigits } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { SettingsReader } from '../platform/settings';
import { User, userTarget } from '../users';
import { CodeDigestService } from './code-digest.service';
import { CodeTarget } from './code-targets.service';
import { CodeHolder, CodeRepository, PreviousCode } from './code.repository';
import { codeLength, codeTtl } from './code.settings';

/** A code to send, and the user and session that may use it. */
export interface CodeOrder extends Pick<Message, 'language'> {
  readonly purpose: CodePurpose;
  readonly target: CodeTarget;
  readonly holder: CodeHolder;
  readonly user?: User;
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
   * Stores the code before sending it. If the provider rejects the message, the code is deleted and the previous one,
   * which may have arrived, is valid again.
   */
  async deliver(order: CodeOrder): Promise<DeliveryOutcome> {
    const { purpose, target, language, user, holder } = order;
    const [length, ttlSeconds] = [await this.settings.get(codeLength), await this.settings.get(codeTtl)];
    const [id, code] = [newId(), randomDigits(length)];
    const previous = await this.store(order, { id, code }, ttlSeconds);
    const values = { code, minutes: wholeMinutes(ttlSeconds), username: user?.username ?? '' };
    const { channel, address } = target;
    const owner = holder.userId === null ? {} : { userId: holder.userId };
    let outcome: DeliveryOutcome = 'rejected';
    try {
      outcome = await this.messenger.send({ channel, purpose, target: address, language, values, ...owner });
    } finally {
      if (!mayHaveArrived(outcome)) await this.codes.withdraw(id, previous);
    }
    return outcome;
  }

  private store(
    { purpose, target, holder, user }: CodeOrder,
    { id, code }: { id: string; code: string },
    ttlSeconds: number,
  ): Promise<PreviousCode | undefined> {
    const place = { purpose, channel: target.channel, key: target.key };
    const digest = this.digest.of({ ...place, id, code });
    return this.transactions.run(async () => {
      const previous = await this.codes.put({ ...place, ...holder, id, digest }, ttlSeconds);
      await this.audit.record({
        action: 'code.send',
        target: auditTarget(id, user),
        after: { purpose, channel: target.channel, to: maskTarget(target.channel, target.key) },
      });
      return previous;
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
