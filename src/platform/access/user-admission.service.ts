import { Injectable } from '@nestjs/common';
import { Caller, contextOf, introduce } from '../context';
import { andThen, MaybePromise } from '../util';
import { accessErrors, dutyProblem, PendingDuty } from './policy';
import { CallerAuthenticator, OrganizationAccess, SecondFactorPolicy } from './access.ports';
import { PendingDutiesService } from './pending-duties.service';

/** The duties during which a route stays open. */
export interface OpenDuring {
  readonly duringPasswordChange?: boolean;
  readonly duringTerms?: boolean;
  readonly duringAttributes?: boolean;
  readonly duringEnrolment?: boolean;
}

const OPENING: Readonly<Record<PendingDuty, keyof OpenDuring>> = {
  password_change: 'duringPasswordChange',
  terms: 'duringTerms',
  attributes: 'duringAttributes',
  mfa_enrolment: 'duringEnrolment',
};

/** Admits users to routes that need a login, and to services that decide during a request that a login is needed. */
@Injectable()
export class UserAdmissionService {
  constructor(
    private readonly authenticator: CallerAuthenticator,
    private readonly secondFactors: SecondFactorPolicy,
    private readonly organizations: OrganizationAccess,
    private readonly duties: PendingDutiesService,
  ) {}

  /**
   * Authenticates the user and stores the caller in the request context. Errors: those of `CallerAuthenticator`,
   * `password_change_required`, `terms_required`, `attributes_required`, `mfa_enrolment_required`.
   */
  require(request: object, open: OpenDuring = {}): MaybePromise<Caller> {
    return andThen(this.authenticator.authenticate(request), (caller) => {
      introduce(contextOf(request), caller);
      return this.rejectUnfinished(caller, open);
    });
  }

  /**
   * For a request within an organization, which may limit the login methods of its members and require a second factor there.
   * Routes that stay open for enrolment stay open here, too. Throws `login_method_not_accepted` or `mfa_enrolment_required`.
   */
  requireWithin(caller: Caller, organizationId: string, open: OpenDuring = {}): MaybePromise<void> {
    const hasEarlierDuty = caller.mustChangePassword || caller.mustAcceptTerms || caller.mustGiveAttributes;
    if (hasEarlierDuty || open.duringEnrolment) return;
    const { userId, loginMethod } = caller;
    return andThen(this.organizations.acceptsLogin(userId, organizationId, loginMethod), (isAccepted) => {
      if (!isAccepted) throw accessErrors.loginMethodNotAccepted();
      return this.requireEnrolled(userId, organizationId);
    });
  }

  private rejectUnfinished(caller: Caller, open: OpenDuring): MaybePromise<Caller> {
    return andThen(this.duties.list(caller), (duty) => {
      if (duty && !open[OPENING[duty]]) throw dutyProblem(duty);
      return caller;
    });
  }

  private requireEnrolled(userId: string, organizationId: string): MaybePromise<void> {
    return andThen(this.secondFactors.isEnrolmentDue(userId, organizationId), (isDue) => {
      if (isDue) throw accessErrors.mfaEnrolmentRequired();
    });
  }
}
