import { isProblem } from '../api/problem';

/** Step that the service requires right after a login. */
export type Demand = 'password_change_required' | 'terms_required' | 'attributes_required' | 'mfa_enrolment_required';

const demands: readonly string[] = [
  'password_change_required',
  'terms_required',
  'attributes_required',
  'mfa_enrolment_required',
] satisfies Demand[];

/** Returns the required step that an error names, if any. */
export function demandOf(error: unknown): Demand | undefined {
  return isProblem(error) && demands.includes(error.code) ? (error.code as Demand) : undefined;
}
