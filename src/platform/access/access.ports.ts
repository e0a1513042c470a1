import { Caller, OAuthClientPrincipal } from '../context';
import { MaybePromise } from '../util';
import { SecondFactorState } from './policy';

/** Identifies the user who makes a request. Throws the 401 problem that says why the request is not authenticated. */
export abstract class CallerAuthenticator {
  abstract authenticate(request: object): MaybePromise<Caller>;
}

/** Identifies the OAuth client that makes a request for itself. */
export abstract class OAuthClientAuthenticator {
  /** Returns undefined without a valid client token: the request may come from a user. Errors: `unauthenticated`. */
  abstract authenticate(request: object): Promise<OAuthClientPrincipal | undefined>;
}

/** Evaluates the permissions of a user, granted directly and through roles. */
export abstract class PermissionChecker {
  /** @param organizationId counts what the user holds in this organization, too */
  abstract isGranted(userId: string, permission: string, organizationId?: string): MaybePromise<boolean>;

  /** Returns the permission with its explicit scope, for the error message. */
  abstract describe(permission: string): { permission: string; scope: string };
}

/** Decides in which organizations a user may act. Ids are not validated. */
export abstract class OrganizationAccess {
  abstract isMember(userId: string, organizationId: string): MaybePromise<boolean>;

  /** Whether a request may name the organization: a member's, or any that exists for a holder of every permission. */
  abstract isOpenTo(userId: string, organizationId: string): MaybePromise<boolean>;

  /**
   * Whether the organization accepts the login method from its members. Others are not limited, nor are holders of every permission.
   * @param method undefined: unknown, which an organization that limits the methods does not accept
   */
  abstract acceptsLogin(userId: string, organizationId: string, method: string | undefined): MaybePromise<boolean>;
}

/** Checks for full authority: `*:*` at level 7 in every scope. */
export abstract class FullAuthority {
  /**
   * Call it in the transaction of the action, before that takes its first lock: locks the grants until the transaction
   * ends. Audits a negative result under the target.
   */
  abstract isHeldBy(userId: string, target: { readonly type: string; readonly id: string }): Promise<boolean>;
}

/** Decides whether a user may act as another one. */
export abstract class ActingAuthority {
  /**
   * Whether the actor may act as users at all, and holds everything that this user holds, in organizations and through
   * OAuth clients too. Reads the database.
   */
  abstract covers(actorId: string, userId: string): Promise<boolean>;
}

/** Limits the writes of administrators; called before the write. */
export abstract class WriteLimit {
  /** @param subject id of a user or of an OAuth client. Errors: `rate_limited`. */
  abstract count(subject: string): Promise<void>;
}

/** Second-factor status of a user. */
export interface MfaStatus extends SecondFactorState {
  /** The user must have one. */
  readonly isRequired: boolean;
}

/** Reads the second-factor status of users. */
export abstract class SecondFactorPolicy {
  abstract get(userId: string): Promise<MfaStatus>;
  /**
   * Whether the user must enrol a second factor first: until then only the enrolment routes are open.
   * @param organizationId counts what is required within this organization only, too
   */
  abstract isEnrolmentDue(userId: string, organizationId?: string): MaybePromise<boolean>;
}
