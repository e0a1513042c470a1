import { Injectable } from '@nestjs/common';
import type { Caller } from '../context';
import { andThen, MaybePromise } from '../util';
import type { PendingDuty } from './policy';
import { SecondFactorPolicy } from './access.ports';

/** What the duties of a user depend on. */
export type DutyBearer = Pick<Caller, 'userId' | 'mustChangePassword' | 'mustAcceptTerms' | 'mustGiveAttributes'>;

/** Finds what users must do first. All that admit users, and all that answer who a user is, read it here. */
@Injectable()
export class PendingDutiesService {
  constructor(private readonly secondFactors: SecondFactorPolicy) {}

  /**
   * The duty that is due now; null: none. The password change comes first, then the terms, then the attributes: the
   * routes of a duty stay open while a later one is due.
   */
  list({
    userId,
    mustChangePassword,
    mustAcceptTerms,
    mustGiveAttributes,
  }: DutyBearer): MaybePromise<PendingDuty | null> {
    if (mustChangePassword) return 'password_change';
    if (mustAcceptTerms) return 'terms';
    if (mustGiveAttributes) return 'attributes';
    return andThen(this.secondFactors.isEnrolmentDue(userId), (isDue) => (isDue ? 'mfa_enrolment' : null));
  }
}
