import { isProblem } from '../api/problem';

/** What the service still asks of somebody who has just logged in. */
export type Demand = 'password_change_required' | 'mfa_enrolment_required';

const demands: readonly string[] = ['password_change_required', 'mfa_enrolment_required'] satisfies Demand[];

/** The demand that a refusal was for, if it was for one. */
export function demandOf(error: unknown): Demand | undefined {
  return isProblem(error) && demands.includes(error.code) ? (error.code as Demand) : undefined;
}
