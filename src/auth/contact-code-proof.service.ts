import { Injectable } from '@nestjs/common';
import { AttemptOrigin, BruteForceGuardService } from './login';
import { MessageChannel } from '../messaging';
import { UserView } from '../users';
import { codeErrors, CodeProof, CodeProofsService, CodeTargetsService, contactOf } from '../verification';
import { authActs } from './account/auth.acts';

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
   * Throws `code_invalid` (counted for the address; also when the account has no verified contact of the channel),
   * `account_locked`, `rate_limited` or `verification_disabled`.
   */
  async prove(user: UserView, channel: MessageChannel, code: string, origin: AttemptOrigin): Promise<CodeProof> {
    const createError = codeErrors.codeInvalid;
    const browsers = origin.cookies.codeSecrets;
    const contact = user[contactOf[channel]];
    const key =
      contact !== null && user[VERIFIED[channel]] ? (await this.targets.read(channel, contact)).key : undefined;
    const request = key === undefined ? undefined : { purpose: 'login' as const, channel, key, browsers };
    const limits = request && (await this.proofs.isRequestedBy(request)) ? 'address' : 'lock';
    return this.guard.protect(
      { user, key: user.id, limits, createError, act: authActs.proveCode },
      origin,
      async () => {
        if (!request) throw createError();
        return this.proofs.check({ ...request, code, userId: user.id });
      },
    );
  }
}
