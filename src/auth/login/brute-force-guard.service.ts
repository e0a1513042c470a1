import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { SecondFactorAttempt, SecondFactorAttempts } from '../../mfa';
import { RequestContext } from '../../platform/context';
import { ErrorFactory, ProblemError } from '../../platform/errors';
import { AttemptAct, AttemptState, UserView, userTarget } from '../../users';
import { AttemptKey } from './known-device-attempts';
import { DeviceOwner } from './known-devices.service';
import { LoginAttempt, LockoutService, secondFactorOf } from './lockout.service';
import { AttemptLimits } from './login-method';

/** What a browser's cookies prove. The controllers read them. */
export interface DeviceCookies {
  /** Returns the id of a device that has logged in to the account. Also called for unknown users, for equal timing. */
  readonly recognize: (owner: DeviceOwner | undefined) => string | undefined;
  /** Tokens of users that trust the browser, which then needs no second factor for them. */
  readonly trustTokens: readonly string[];
  /** Hashes of the secrets that the browser received with passkey challenges. */
  readonly passkeySecrets: readonly string[];
  /** Hashes of the secrets that the browser received with requests for codes. */
  readonly codeSecrets: readonly string[];
}

/** Where an attempt comes from. */
export interface AttemptOrigin {
  readonly request: RequestContext;
  readonly cookies: DeviceCookies;
}

/** A secret that an attacker may try to guess. */
export interface ProtectedSecret {
  readonly user: UserView | undefined;
  /** Lockout key: the user's id, or the identifier when no account matches it. */
  readonly key: string;
  /**
   * The error for a wrong secret. Only this error counts as a failure. Without it no attempt counts, but locks still
   * apply.
   */
  readonly createError?: ErrorFactory | undefined;
  /** What a wrong secret is recorded as. */
  readonly act: AttemptAct;
  readonly after?: AttemptState;
  /** Counted separately, because a correct first factor must not reset the count of wrong second factors. */
  readonly isSecondFactor?: boolean;
  /** Default: `account`. */
  readonly limits?: AttemptLimits | undefined;
}

type Counted = Omit<ProtectedSecret, 'user'> & { readonly user: Pick<UserView, 'id' | 'username'> | undefined };

/** Wraps every check of a secret in the lockout. */
@Injectable()
export class BruteForceGuardService extends SecondFactorAttempts {
  constructor(
    private readonly lockout: LockoutService,
    private readonly audit: AuditService,
  ) {
    super();
  }

  /**
   * Begins an attempt, runs `verify` and ends the attempt by its outcome. Throws the errors of `verify`,
   * `account_locked` or `rate_limited`.
   */
  protect<T>(secret: ProtectedSecret, { request, cookies }: AttemptOrigin, verify: () => Promise<T>): Promise<T> {
    const device = cookies.recognize(secret.user);
    return this.run(secret, { address: request.limitKey, ...(device && { device }) }, verify);
  }

  /** For second factors that are set up in a session. */
  verifySecondFactor<T>(
    { user, ...attempt }: SecondFactorAttempt,
    request: RequestContext,
    verify: () => Promise<T>,
  ): Promise<T> {
    const secret = { ...attempt, user, key: user.id, isSecondFactor: true };
    return this.run(secret, { address: request.limitKey }, verify);
  }

  private async run<T>(secret: Counted, from: Omit<AttemptKey, 'subject'>, verify: () => Promise<T>): Promise<T> {
    const attempt = await this.begin(secret, from);
    try {
      const result = await verify();
      await attempt.succeed();
      return result;
    } catch (error) {
      // Count rejected secrets only, not overload or database errors.
      const isRejected = error instanceof ProblemError && error.code === secret.createError?.code;
      if (isRejected) await this.recordFailure(secret, await attempt.fail(secret.limits));
      else await attempt.cancel();
      throw error;
    }
  }

  private begin(secret: Counted, from: Omit<AttemptKey, 'subject'>): Promise<LoginAttempt> {
    const { key, isSecondFactor = false, limits } = secret;
    if (limits === 'address') return this.lockout.beginForAddress(from.address);
    return this.lockout.begin({ ...from, subject: isSecondFactor ? secondFactorOf(key) : key });
  }

  private async recordFailure({ user, act, after }: Counted, locked: boolean): Promise<void> {
    await this.audit.recordFailure(act, {
      ...(user && { target: userTarget(user) }),
      ...((after ?? locked) && { after: { ...after, ...(locked && { locked }) } }),
    });
  }
}
