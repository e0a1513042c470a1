import { Caller, OAuthClientPrincipal } from '../context';
import { MaybePromise } from '../maybe-promise';

/** Finds out who makes a request. Throws the 401 that says why nobody could be found. */
export abstract class CallerAuthenticator {
  abstract authenticate(request: object): MaybePromise<Caller>;
}

/** Finds out which application makes a request for itself. */
export abstract class OAuthClientAuthenticator {
  /** Undefined where no machine's token counts: then it may be a user's request. Errors: `unauthenticated`. */
  abstract authenticate(request: object): Promise<OAuthClientPrincipal | undefined>;
}

/** Answers whether a user holds a permission, from grants given directly and through roles. */
export abstract class PermissionChecker {
  abstract isGranted(userId: string, permission: string): MaybePromise<boolean>;

  /** The permission with its scope spelled out, for the sentence of a refusal. */
  abstract describe(permission: string): { permission: string; scope: string };
}

/** Says who holds everything there is: `*:*` at level 7 in every scope. */
export abstract class FullAuthority {
  /**
   * In the transaction of the act, before its first lock: what is held stays as it is until the transaction ends. A no is
   * in the audit, under the target.
   */
  abstract isHeldBy(userId: string, target: { readonly type: string; readonly id: string }): Promise<boolean>;
}

/** Counts what administrators change, before it is done. */
export abstract class WriteLimit {
  /** @param subject a user's id, or a client's. Errors: `rate_limited`. */
  abstract count(subject: string): Promise<void>;
}

/** How a user stands to second factors. */
export interface SecondFactorStanding {
  /** Second factors are asked for here. */
  readonly isOffered: boolean;
  /** The user must have one. */
  readonly isRequired: boolean;
  /** The user has one. */
  readonly isEnrolled: boolean;
}

/** Says who has a second factor, and who must. */
export abstract class SecondFactorPolicy {
  abstract of(userId: string): Promise<SecondFactorStanding>;
  /** The user must have one and has none: then only the way to one is open. */
  abstract isEnrolmentDue(userId: string): MaybePromise<boolean>;
}
