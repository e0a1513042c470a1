import { compareCodeUnits } from '../../platform/util';
import { formatPermissionCode, parsePermissionCode, PermissionCode, permissionIdOf, WILDCARD } from './permission-code';
import { isPermissionLevel, MAX_LEVEL, PermissionLevel, rankOf, RankSource } from './permission-level';

/** A granted permission with its level. Resource and action are separate, so that checks do not split strings. */
export interface Grant extends PermissionCode {
  /** `resource:action`. */
  readonly permissionId: string;
  readonly level: PermissionLevel;
}

/** A permission to check. The level applies only when it is higher than the rank of the action. */
export interface PermissionCheck extends PermissionCode {
  readonly level?: PermissionLevel;
}

/** The grant of a code, at level 7 by default. */
export function grantOf(code: PermissionCode, level: PermissionLevel = MAX_LEVEL): Grant {
  const { scope, resource, action } = code;
  return { scope, resource, action, permissionId: permissionIdOf(code), level };
}

/** The smallest grant of a permission that the code names. */
export function grantOfPermission(permission: string, serviceScope: string): Grant {
  const code = parsePermissionCode(permission, serviceScope);
  if (!code) throw new Error(`"${permission}" is not a permission code`);
  return grantOf(code, rankOf(code));
}

/**
 * Parses a grant from its stored form. `permissionId` has two parts or is `*`. Returns undefined when a part or the
 * level is malformed, or when `permissionId` contains a scope, because it must not override the stored scope.
 */
export function grantFrom(scope: string, permissionId: string, level: number = MAX_LEVEL): Grant | undefined {
  const code = parsePermissionCode(permissionId, scope);
  if (!code || !isPermissionLevel(level)) return undefined;
  return permissionId === WILDCARD || permissionId === permissionIdOf(code) ? grantOf(code, level) : undefined;
}

/** `*:*` at level 7 in the scope. Scope `*` means every permission. */
export function everythingIn(scope: string): Grant {
  return grantOf({ scope, resource: WILDCARD, action: WILDCARD });
}

/** The level that a grant needs to allow the check. */
export function neededLevel(check: PermissionCheck, catalogue?: RankSource): PermissionLevel {
  const rank = rankOf(check, catalogue);
  // Written so that a level which is not a number is returned, and no grant reaches it.
  return check.level === undefined || check.level <= rank ? rank : check.level;
}

/** One grant per scope and permission with its highest level, sorted by scope, then permission in code-unit order. */
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
