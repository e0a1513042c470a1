import { sha256 } from '../../platform/crypto';

export type SubjectKind = 'session' | 'user';

/** By topic of the caches that a check reads: whose checks a change affects. */
const KINDS: ReadonlyMap<string, SubjectKind> = new Map<string, SubjectKind>([
  ['session', 'session'],
  ['user', 'user'],
  ['grants', 'user'],
  ['second_factor', 'user'],
]);
/** A change of these may affect every check. */
const FOR_ALL: ReadonlySet<string> = new Set(['setting', 'catalogue', 'signing_key']);

/**
 * Names a session or a user on the change stream. A digest, because a service must not learn the ids of users that
 * never used it: an id has 74 random bits, so the digest cannot be reversed.
 */
export const subjectOf = (kind: SubjectKind, id: string): string => sha256(`${kind}:${id}`);

/** The subjects of a change; `all` if any check may be outdated, undefined if none is. */
export function subjectsOf(topic: string, keys: readonly string[] | undefined): string[] | 'all' | undefined {
  if (FOR_ALL.has(topic)) return 'all';
  const kind = KINDS.get(topic);
  if (!kind) return undefined;
  return keys ? keys.map((key) => subjectOf(kind, key)) : 'all';
}
