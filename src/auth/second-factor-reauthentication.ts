import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { SecondFactorClaim, SecondFactorProof, SecondFactors } from '../mfa';
import { Caller, RequestOrigin } from '../platform/context';
import { Transactions } from '../platform/database';
import { Reauthentication, Sessions } from '../session';
import { KnownUser } from '../users';
import { Guesser, Guesses } from './guesses';

/** The second factor proved again within a session. */
@Injectable()
export class SecondFactorReauthentication {
  constructor(
    private readonly factors: SecondFactors,
    private readonly guesses: Guesses,
    private readonly sessions: Sessions,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
  ) {}

  options({ sessionId, userId }: Caller, origin: RequestOrigin): Promise<object> {
    return this.factors.passkeyOptions({ ceremony: 'confirm', boundTo: sessionId }, userId, origin);
  }

  /**
   * Makes the second factor recent; a passkey that its owner unlocked makes the login recent as well. Errors:
   * `code_invalid` or, of a passkey, `invalid_credentials`, `account_locked`, `rate_limited`.
   */
  async confirm({ sessionId }: Caller, user: KnownUser, claim: SecondFactorClaim, guesser: Guesser): Promise<void> {
    const occasion = { ceremony: 'confirm', boundTo: sessionId, origin: guesser.request.origin } as const;
    const refusal = this.factors.refusalOf(claim);
    const secret = {
      user,
      name: user.username,
      refusal,
      action: 'session.reauthenticate',
      after: { second_factor: claim.method },
      isSecondFactor: true,
    };
    await this.guesses.judge(secret, guesser, async () => {
      const proof = await this.factors.verify(user, claim, occasion);
      if (!proof) throw refusal();
      await this.store(sessionId, claim, proof);
    });
  }

  private store(sessionId: string, { method }: SecondFactorClaim, proof: SecondFactorProof): Promise<void> {
    const proved: Reauthentication = { first: proof.isMultiFactor, second: true, amr: [...proof.amr, 'mfa'] };
    return this.transactions.run(async () => {
      await proof.spend();
      await this.sessions.confirm(sessionId, proved);
      await this.audit.record({
        action: 'session.reauthenticate',
        target: { type: 'session', id: sessionId },
        after: { second_factor: method },
      });
    });
  }
}
