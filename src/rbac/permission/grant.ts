import { compareCodeUnits } from '../../platform/text';
import { formatPermissionCode, parsePermissionCode, PermissionCode, permissionIdOf, WILDCARD } from './permission-code';
import { isPermissionLevel, MAX_LEVEL, PermissionLevel, rankOf, RankSource } from './permission-level';

/** A right held: a code, up to a level. Resource and action are kept apart so that no check splits text. */
export interface Grant extends PermissionCode {
  /** `resource:action`. */
  readonly permissionId: string;
  readonly level: PermissionLevel;
}

/** A right asked for. The level counts only where it is higher than the rank of the action. */
export interface PermissionCheck extends PermissionCode {
  readonly level?: PermissionLevel;
}

/** The grant of a code, at 7 unless said otherwise. */
export function grantOf(code: PermissionCode, level: PermissionLevel = MAX_LEVEL): Grant {
  const { scope, resource, action } = code;
  return { scope, resource, action, permissionId: permissionIdOf(code), level };
}

/**
 * A grant from its stored form, whose `permissionId` has two parts or is `*`. Undefined when a part or the level is
 * malformed, or `permissionId` carries a scope: a stored scope of its own must never be overruled by it.
 */
export function grantFrom(scope: string, permissionId: string, level: number = MAX_LEVEL): Grant | undefined {
  const code = parsePermissionCode(permissionId, scope);
  if (!code || !isPermissionLevel(level)) return undefined;
  return permissionId === WILDCARD || permissionId === permissionIdOf(code) ? grantOf(code, level) : undefined;
}

/** `*:*` at 7 in the scope; in scope `*` all there is. */
export function everythingIn(scope: string): Grant {
  return grantOf({ scope, resource: WILDCARD, action: WILDCARD });
}

/** The level a grant must have to allow the check. */
export function neededLevel(check: PermissionCheck, catalogue?: RankSource): PermissionLevel {
  const rank = rankOf(check, catalogue);
  // Written so that a level which is no number is kept, and then reached by no grant.
  return check.level === undefined || check.level <= rank ? rank : check.level;
}

/** One grant for each scope and permission, the highest level of each, by scope and then permission in code-unit order. */
export function mergeGrants(grants: Iterable<Grant>): Grant[] {
  const strongest = new Map<string, Grant>();
  for (const grant of grants) {
    const key = formatPermissionCode(grant);
    const known = strongest.get(key);
    if (known === undefined || known.level < grant.level) strongest.set(key, grant);
  }
  return [...strongest.values()].sort(byScopeThenPermission);
}

function byScopeThenPermission(left: Grant, right: Grant): number {
  return compareCodeUnits(left.scope, right.scope) || compareCodeUnits(left.permissionId, right.permissionId);
}
