import { RequestContext } from '../platform/context';
import { ErrorFactory } from '../platform/errors';
import { UserView } from '../users';

/** A check of a second factor outside a login. */
export interface SecondFactorAttempt {
  readonly user: Pick<UserView, 'id' | 'username'>;
  /** The error for a wrong one: only this is counted. */
  readonly refusal: ErrorFactory;
  /** What the audit records of a wrong one. */
  readonly action: string;
  readonly after: object;
}

/** Counts wrong second factors under the lockout of the account. The login, which knows this room, implements it. */
export abstract class SecondFactorAttempts {
  /** Errors: those of `verify`, `account_locked`, `rate_limited`. */
  abstract verifySecondFactor<T>(
    attempt: SecondFactorAttempt,
    request: RequestContext,
    verify: () => Promise<T>,
  ): Promise<T>;
}
