import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { AttemptOrigin, BruteForceGuardService } from './login';
import { SecondFactorClaim, SecondFactorProof, SecondFactorsService } from '../mfa';
import { Caller, RequestOrigin } from '../platform/context';
import { Transactions } from '../platform/database';
import { Reauthentication, SessionsService } from '../session';
import { UserView } from '../users';
import { authActs } from './account/auth.acts';

/** Verifies a second factor again within a session. */
@Injectable()
export class SecondFactorReauthenticationService {
  constructor(
    private readonly factors: SecondFactorsService,
    private readonly guard: BruteForceGuardService,
    private readonly sessions: SessionsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  options({ sessionId, userId }: Caller, origin: RequestOrigin): Promise<object> {
    return this.factors.passkeyOptions({ ceremony: 'confirm', boundTo: sessionId }, userId, origin);
  }

  /**
   * Makes the second factor recent. A passkey with user verification makes the login recent as well. Throws
   * `code_invalid` (`invalid_credentials` for a passkey), `account_locked` or `rate_limited`.
   */
  async confirm({ sessionId }: Caller, user: UserView, claim: SecondFactorClaim, origin: AttemptOrigin): Promise<void> {
    const ceremony = { ceremony: 'confirm', boundTo: sessionId, origin: origin.request.origin } as const;
    const createError = this.factors.errorOf(claim);
    const secret = {
      user,
      key: user.id,
      createError,
      act: authActs.reauthenticate,
      after: { second_factor: claim.method },
      isSecondFactor: true,
    };
    await this.guard.protect(secret, origin, async () => {
      const proof = await this.factors.verify(user, claim, ceremony);
      if (!proof) throw createError();
      await this.store(sessionId, claim, proof);
    });
  }

  private store(sessionId: string, { method }: SecondFactorClaim, proof: SecondFactorProof): Promise<void> {
    const proved: Reauthentication = { first: proof.isMultiFactor, second: true, amr: [...proof.amr, 'mfa'] };
    return this.transactions.run(async () => {
      await proof.consume();
      await this.sessions.confirm(sessionId, proved);
      await this.audit.record(authActs.reauthenticate, {
        target: { type: 'session', id: sessionId },
        after: { second_factor: method },
      });
    });
  }
}
