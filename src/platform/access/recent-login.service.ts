import { Injectable } from '@nestjs/common';
import { Caller } from '../context';
import { platformErrors } from '../errors';
import { accessErrors } from './access.errors';
import { SecondFactorPolicy } from './access.ports';
import { RecentFactors } from '../policy';

/** Checks that the caller has recently proved the identity in the session. */
@Injectable()
export class RecentLoginService {
  constructor(private readonly secondFactors: SecondFactorPolicy) {}

  /**
   * Errors: `reauthentication_required`, with `factors: 2` if only the second factor is not recent;
   * `mfa_enrolment_required` if two factors are required and the user has no second one.
   */
  async require(caller: Caller, factors: RecentFactors = 'enrolled'): Promise<void> {
    if (!caller.recentLogin) throw platformErrors.reauthenticationRequired();
    if (factors === 1 || caller.recentSecondFactor) return;
    const { isOffered, isEnrolled } = await this.secondFactors.of(caller.userId);
    if (!isOffered) return;
    if (isEnrolled) throw platformErrors.reauthenticationRequired({ params: { factors: 2 } });
    if (factors === 2) throw accessErrors.mfaEnrolmentRequired();
  }
}
