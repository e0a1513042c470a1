import { formatPermissionCode, Grant, mergeGrants, PermissionCheck } from './permission';

/** A grant and where it comes from: the name of a role, or null for one given directly. */
export interface SourcedGrant extends Grant {
  readonly role: string | null;
}

/** A grant in force, with everything that gives it at this level: null for the user's own first, then roles by name. */
export interface EffectiveGrant extends Grant {
  readonly from: readonly (string | null)[];
}

/** What one user holds, directly and in all, each by scope and then permission. */
export interface HeldGrants {
  readonly direct: readonly Grant[];
  readonly effective: readonly EffectiveGrant[];
}

/** Why a check is allowed, or what is missing. */
export interface CheckedPermission {
  readonly check: PermissionCheck;
  readonly allowed: boolean;
  /** The grant that allows it, and the role that gives it; no role: the user directly. */
  readonly because: { readonly role: string | null; readonly grant: Grant } | null;
  /** The least grant that would allow a denied check. */
  readonly closest: Grant | null;
}

export function heldGrants(sourced: readonly SourcedGrant[]): HeldGrants {
  return {
    direct: mergeGrants(sourced.filter(({ role }) => role === null)),
    effective: mergeGrants(sourced).map((grant) => ({ ...grant, from: sourcesOf(grant, sourced) })),
  };
}

/** Which of the sources give exactly this grant. */
export function sourcesOf(grant: Grant, sourced: readonly SourcedGrant[]): (string | null)[] {
  const key = formatPermissionCode(grant);
  const from = sourced
    .filter((source) => formatPermissionCode(source) === key && source.level === grant.level)
    .map(({ role }) => role);
  const roles = [...new Set(from.filter((role) => role !== null))].sort();
  return from.includes(null) ? [null, ...roles] : roles;
}
