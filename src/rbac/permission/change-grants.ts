import { formatPermissionCode, Grant } from '.';
import { GrantChange } from './permission-inputs.service';

/**
 * Applies a change to a list of grants. An added grant sets its level. Removing a grant that is not held is no error.
 */
export function changeGrants(before: readonly Grant[], { add, remove }: GrantChange): Grant[] {
  const held = new Map(before.map((grant) => [formatPermissionCode(grant), grant]));
  for (const code of remove) held.delete(formatPermissionCode(code));
  for (const grant of add) held.set(formatPermissionCode(grant), grant);
  return [...held.values()];
}

/** Whether both lists hold the same grants, in any order. */
export function isSameGrants(left: readonly Grant[], right: readonly Grant[]): boolean {
  const levels = new Map(left.map((grant) => [formatPermissionCode(grant), grant.level]));
  return (
    left.length === right.length && right.every((grant) => levels.get(formatPermissionCode(grant)) === grant.level)
  );
}
