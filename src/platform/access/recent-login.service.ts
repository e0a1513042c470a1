import { Injectable } from '@nestjs/common';
import { Caller } from '../context';
import { RecentFactors, requireRecentFactors } from './policy';
import { SecondFactorPolicy } from './access.ports';

/** Checks that the caller has recently proved the identity in the session. */
@Injectable()
export class RecentLoginService {
  constructor(private readonly secondFactors: SecondFactorPolicy) {}

  /** Errors: those of `requireRecentFactors`. */
  async require(caller: Caller, factors: RecentFactors = 'enrolled'): Promise<void> {
    await requireRecentFactors(caller, factors, () => this.secondFactors.get(caller.userId));
  }
}
