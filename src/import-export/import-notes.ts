import { WEAK_HASH_PREFIX } from '../platform/crypto';
import { Candidate, ImportNote } from './candidate';
import { Verdict } from './import-plan';
import { LeftOut } from './imported-memberships.service';

/** The ids of the users who did not get all that their lines name. */
export interface AllLeftOut extends LeftOut {
  readonly ofAttributes: ReadonlySet<string>;
}

/** The hash to store. */
export const hashOf = ({ password }: Candidate): string | null => (password?.kind === 'hash' ? password.hash : null);

/** Notes that depend on the result. */
export function notesOf(verdict: Verdict, leftOut: AllLeftOut): ImportNote[] {
  if (verdict.result === 'unchanged' || verdict.result === 'conflict' || verdict.result === 'skipped') return [];
  const { candidate, userId, result } = verdict;
  const isTrue: Partial<Record<ImportNote, boolean>> = {
    weak_password_hash: result !== 'merged' && isWeak(candidate),
    login_name_lost: result !== 'merged' && verdict.isNameLost && hasPassword(candidate),
    no_way_in: result === 'made' && !hasWayIn(candidate),
    role_left_out: leftOut.ofRoles.has(userId),
    group_left_out: leftOut.ofGroups.has(userId),
    organization_left_out: leftOut.ofOrganizations.has(userId),
    attribute_left_out: leftOut.ofAttributes.has(userId),
    identity_left_out: result === 'merged' && candidate.identities.length > 0,
    factor_left_out: result === 'merged' && candidate.totpSecret !== undefined,
  };
  return (Object.keys(isTrue) as ImportNote[]).filter((note) => isTrue[note]);
}

const isWeak = (candidate: Candidate): boolean => hashOf(candidate)?.startsWith(WEAK_HASH_PREFIX) ?? false;

const hasPassword = (candidate: Candidate): boolean =>
  hashOf(candidate) !== null || candidate.password?.kind === 'plain';

const hasWayIn = (candidate: Candidate): boolean =>
  hasPassword(candidate) || candidate.identities.length > 0 || candidate.emailVerified || candidate.phoneVerified;
