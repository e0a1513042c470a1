import { formatPermissionCode, Grant, mergeGrants, PermissionCheck } from './permission';

/** A grant and its source: the name of a role, or null for a direct grant. */
export interface SourcedGrant extends Grant {
  readonly role: string | null;
}

/** An effective grant and its sources at this level: null for a direct grant first, then roles by name. */
export interface EffectiveGrant extends Grant {
  readonly from: readonly (string | null)[];
}

/** One user's grants, each list sorted by scope, then permission. */
export interface StoredGrants {
  readonly direct: readonly Grant[];
  readonly effective: readonly EffectiveGrant[];
}

/** The result of a check, with the reason. */
export interface CheckedPermission {
  readonly check: PermissionCheck;
  readonly allowed: boolean;
  /** The grant that allows the check and the role it comes from. A null role means a direct grant. */
  readonly because: { readonly role: string | null; readonly grant: Grant } | null;
  /** The smallest grant that would allow a denied check. */
  readonly closest: Grant | null;
}

export function heldGrants(sourced: readonly SourcedGrant[]): StoredGrants {
  const sources = new GrantSources(sourced);
  return {
    direct: mergeGrants(sourced.filter(({ role }) => role === null)),
    effective: mergeGrants(sourced).map((grant) => ({ ...grant, from: sources.of(grant) })),
  };
}

/** The sources of grants, indexed once. */
export class GrantSources {
  private readonly roles = new Map<string, Set<string | null>>();

  constructor(sourced: readonly SourcedGrant[]) {
    for (const grant of sourced) {
      const known = this.roles.get(keyOf(grant));
      if (known) known.add(grant.role);
      else this.roles.set(keyOf(grant), new Set([grant.role]));
    }
  }

  /** The sources of exactly this grant: null for a direct grant first, then the names of roles. */
  of(grant: Grant): (string | null)[] {
    const from = [...(this.roles.get(keyOf(grant)) ?? [])];
    const roles = from.filter((role) => role !== null).sort();
    return roles.length < from.length ? [null, ...roles] : roles;
  }
}

const keyOf = (grant: Grant): string => `${formatPermissionCode(grant)} ${grant.level}`;
