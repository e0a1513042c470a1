import type { ProblemError } from '../../errors';
import { accessErrors } from './access.errors';
import type { PendingDuty } from './policy';

const ERRORS: Readonly<Record<PendingDuty, () => ProblemError>> = {
  password_change: () => accessErrors.passwordChangeRequired(),
  terms: () => accessErrors.termsRequired(),
  attributes: () => accessErrors.attributesRequired(),
  mfa_enrolment: () => accessErrors.mfaEnrolmentRequired(),
};

export const PENDING_DUTIES = Object.keys(ERRORS) as readonly PendingDuty[];

export const isPendingDuty = (name: string): name is PendingDuty => Object.hasOwn(ERRORS, name);

/** The error of a request to a route that is closed while the duty is due. */
export const dutyProblem = (duty: PendingDuty): ProblemError => ERRORS[duty]();
