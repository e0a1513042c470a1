import { Injectable } from '@nestjs/common';
import { Caller, RequestContext } from '../platform/context';
import { SecretBox } from '../platform/crypto';
import { DatabaseClock } from '../platform/database';
import { FactorRepository } from './factor.repository';
import { TotpFactor } from './mfa.entities';
import { mfaErrors } from './mfa.errors';
import { SecondFactorAttempts } from './second-factor-attempts';
import { totpStep } from './totp';
import { factorActs } from './factor.acts';

/** Seals the secrets of authenticator apps and verifies the codes of the apps. */
@Injectable()
export class TotpCodesService {
  constructor(
    private readonly factors: FactorRepository,
    private readonly box: SecretBox,
    private readonly clock: DatabaseClock,
    private readonly attempts: SecondFactorAttempts,
  ) {}

  /** @param id the row that the sealed secret is stored in. */
  seal(id: string, secret: string): string {
    return this.box.seal(secret, contextOf(id));
  }

  /** Returns a function that consumes the code's time step, or undefined for a wrong code. */
  async verify(userId: string, code: string): Promise<(() => Promise<boolean>) | undefined> {
    const totp = await this.factors.findTotp(userId);
    if (!totp) return undefined;
    const step = this.stepOf(totp, code);
    return step === undefined ? undefined : () => this.factors.consumeStep(totp.id, step);
  }

  /**
   * Returns the time step of a code of an app that is not confirmed yet. Wrong codes count as attempts of the user.
   * Throws `code_invalid`, `account_locked` or `rate_limited`.
   */
  verifyNew(
    { userId, username }: Caller,
    totp: Pick<TotpFactor, 'id' | 'secret'>,
    code: string,
    request: RequestContext,
  ): Promise<number> {
    const createError = mfaErrors.codeInvalid;
    const user = { id: userId, username };
    const attempt = { user, createError, act: factorActs.add, after: { type: 'totp', id: totp.id } };
    return this.attempts.verifySecondFactor(attempt, request, async () => {
      const step = this.stepOf(totp, code);
      if (step === undefined) throw createError();
      return step;
    });
  }

  private stepOf({ id, secret }: Pick<TotpFactor, 'id' | 'secret'>, code: string): number | undefined {
    return totpStep(this.box.open(secret, contextOf(id)), code, this.clock.now());
  }
}

/** Associated data of the sealed secret, so that it opens only in its own row. */
export const contextOf = (id: string): string => `mfa_totp|${id}|secret`;
