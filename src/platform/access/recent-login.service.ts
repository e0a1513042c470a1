import { Injectable } from '@nestjs/common';
import { Caller } from '../context';
import { platformErrors } from '../errors';
import { accessErrors } from './access.errors';
import { SecondFactorPolicy } from './access.ports';
import { RecentFactors } from './policy';

/** Whether the caller has proved, lately and within the session, to be who logged in. */
@Injectable()
export class RecentLoginService {
  constructor(private readonly secondFactors: SecondFactorPolicy) {}

  /**
   * Errors: `reauthentication_required`, with `factors: 2` where the first factor is recent and the second one is not;
   * `mfa_enrolment_required` where two are asked of a user who has one.
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
