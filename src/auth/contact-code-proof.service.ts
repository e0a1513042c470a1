import { Injectable } from '@nestjs/common';
import { AttemptOrigin, BruteForceGuardService } from '../login';
import { MessageChannel } from '../messaging';
import { UserView } from '../users';
import { codeErrors, CodeProof, CodeProofsService, CodeTargetsService, contactOf } from '../verification';

const VERIFIED = { email: 'emailVerified', sms: 'phoneVerified' } as const satisfies Record<MessageChannel, string>;

/** Verifies a code that was sent to a verified contact of a logged-in user. */
@Injectable()
export class ContactCodeProofService {
  constructor(
    private readonly targets: CodeTargetsService,
    private readonly proofs: CodeProofsService,
    private readonly guard: BruteForceGuardService,
  ) {}

  /**
   * Throws `code_invalid` (counted by the lockout; also when the account has no verified contact of the channel),
   * `account_locked`, `rate_limited` or `verification_disabled`.
   */
  prove(user: UserView, channel: MessageChannel, code: string, origin: AttemptOrigin): Promise<CodeProof> {
    const createError = codeErrors.codeInvalid;
    const contact = user[contactOf[channel]];
    return this.guard.protect({ user, key: user.id, createError, action: 'code.prove' }, origin, async () => {
      if (contact === null || !user[VERIFIED[channel]]) throw createError();
      const { key } = await this.targets.read(channel, contact);
      return this.proofs.check({ purpose: 'login', channel, key, code, userId: user.id });
    });
  }
}
