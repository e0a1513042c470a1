import { RequestContext } from '../platform/context';
import { ErrorFactory } from '../platform/errors';
import { AttemptAct, AttemptState, UserView } from '../users';

/** A check of a second factor outside a login. */
export interface SecondFactorAttempt {
  readonly user: Pick<UserView, 'id' | 'username'>;
  /** The error for a wrong factor. Only this error counts as a failure. */
  readonly createError: ErrorFactory;
  /** What a wrong factor is recorded as. */
  readonly act: AttemptAct;
  readonly after: AttemptState;
}

/**
 * Counts wrong second factors toward the account's lockout. A port, because the login module, which implements it,
 * imports this module.
 */
export abstract class SecondFactorAttempts {
  /** Throws the errors of `verify`, `account_locked` or `rate_limited`. */
  abstract verifySecondFactor<T>(
    attempt: SecondFactorAttempt,
    request: RequestContext,
    verify: () => Promise<T>,
  ): Promise<T>;
}
