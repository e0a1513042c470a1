import { Caller } from '../../context';
import { platformErrors } from '../../errors';
import { andThen, MaybePromise } from '../../util';
import { accessErrors } from './access.errors';
import { RecentFactors } from './policy';

export interface SecondFactorState {
  /** False when setting `mfa.policy` is `off`. */
  readonly isOffered: boolean;
  /** The user has one. */
  readonly isEnrolled: boolean;
}

/**
 * Checks that the session has recently proved the identity. `stateOf` is asked only if the answer depends on it.
 * Errors: `reauthentication_required`, with `factors: 2` if only the second factor is not recent;
 * `mfa_enrolment_required` if two factors are required and the user has no second one.
 */
export function requireRecentFactors(
  { recentLogin, recentSecondFactor }: Pick<Caller, 'recentLogin' | 'recentSecondFactor'>,
  factors: RecentFactors,
  stateOf: () => MaybePromise<SecondFactorState>,
): MaybePromise<void> {
  if (!recentLogin) throw platformErrors.reauthenticationRequired();
  if (factors === 1 || recentSecondFactor) return;
  return andThen(stateOf(), ({ isOffered, isEnrolled }) => {
    if (!isOffered) return;
    if (isEnrolled) throw platformErrors.reauthenticationRequired({ params: { factors: 2 } });
    if (factors === 2) throw accessErrors.mfaEnrolmentRequired();
  });
}
