import { Injectable } from '@nestjs/common';
import { Caller, contextOf, introduce } from '../context';
import { andThen, MaybePromise } from '../maybe-promise';
import { accessErrors } from '../policy';
import { CallerAuthenticator, OrganizationAccess, SecondFactorPolicy } from './access.ports';

/** The duties during which a route stays open. */
export interface OpenDuring {
  readonly duringPasswordChange?: boolean;
  readonly duringTerms?: boolean;
  readonly duringEnrolment?: boolean;
}

/** Admits users to routes that need a login, and to services that decide during a request that a login is needed. */
@Injectable()
export class UserAdmissionService {
  constructor(
    private readonly authenticator: CallerAuthenticator,
    private readonly secondFactors: SecondFactorPolicy,
    private readonly organizations: OrganizationAccess,
  ) {}

  /**
   * Authenticates the user and stores the caller in the request context. Errors: those of `CallerAuthenticator`,
   * `password_change_required`, `terms_required`, `mfa_enrolment_required`.
   */
  require(request: object, open: OpenDuring = {}): MaybePromise<Caller> {
    return andThen(this.authenticator.authenticate(request), (caller) => {
      introduce(contextOf(request), caller);
      return this.rejectUnfinished(caller, open);
    });
  }

  /**
   * For a request within an organisation, which may limit the login methods of its members and require a second factor there.
   * Routes that stay open for enrolment stay open here, too. Throws `login_method_not_accepted` or `mfa_enrolment_required`.
   */
  requireWithin(caller: Caller, organizationId: string, open: OpenDuring = {}): MaybePromise<void> {
    if (caller.mustChangePassword || caller.mustAcceptTerms || open.duringEnrolment) return;
    const { userId, loginMethod } = caller;
    return andThen(this.organizations.acceptsLogin(userId, organizationId, loginMethod), (isAccepted) => {
      if (!isAccepted) throw accessErrors.loginMethodNotAccepted();
      return this.requireEnrolled(caller, organizationId);
    });
  }

  /** The password change comes first, then the terms: the routes of a duty stay open while a later one is due. */
  private rejectUnfinished(caller: Caller, open: OpenDuring): MaybePromise<Caller> {
    if (caller.mustChangePassword) {
      if (!open.duringPasswordChange) throw accessErrors.passwordChangeRequired();
      return caller;
    }
    if (caller.mustAcceptTerms) {
      if (!open.duringTerms) throw accessErrors.termsRequired();
      return caller;
    }
    if (open.duringEnrolment) return caller;
    return andThen(this.requireEnrolled(caller), () => caller);
  }

  private requireEnrolled({ userId }: Caller, organizationId?: string): MaybePromise<void> {
    return andThen(this.secondFactors.isEnrolmentDue(userId, organizationId), (isDue) => {
      if (isDue) throw accessErrors.mfaEnrolmentRequired();
    });
  }
}
