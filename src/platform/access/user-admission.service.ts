import { Injectable } from '@nestjs/common';
import { Caller, contextOf, introduce } from '../context';
import { andThen, MaybePromise } from '../maybe-promise';
import { accessErrors } from './access.errors';
import { CallerAuthenticator, SecondFactorPolicy } from './access.ports';

/** What a route leaves open to those who must finish something first. */
export interface OpenDuring {
  readonly duringPasswordChange?: boolean;
  readonly duringEnrolment?: boolean;
}

/** What a route behind a login asks, also for services that decide only on their way that a login is needed. */
@Injectable()
export class UserAdmissionService {
  constructor(
    private readonly authenticator: CallerAuthenticator,
    private readonly secondFactors: SecondFactorPolicy,
  ) {}

  /**
   * Who makes the request, which is known from here on. Errors: those of `CallerAuthenticator`, `password_change_required`,
   * `mfa_enrolment_required`.
   */
  require(request: object, open: OpenDuring = {}): MaybePromise<Caller> {
    return andThen(this.authenticator.authenticate(request), (caller) => {
      introduce(contextOf(request), caller);
      return this.rejectUnfinished(caller, open);
    });
  }

  /** First the password, then the second factor: the routes to the one are open while the other is due, too. */
  private rejectUnfinished(caller: Caller, open: OpenDuring): MaybePromise<Caller> {
    if (caller.mustChangePassword) {
      if (!open.duringPasswordChange) throw accessErrors.passwordChangeRequired();
      return caller;
    }
    if (open.duringEnrolment) return caller;
    return andThen(this.secondFactors.isEnrolmentDue(caller.userId), (isDue) => {
      if (isDue) throw accessErrors.mfaEnrolmentRequired();
      return caller;
    });
  }
}
