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
export interface StoredGrants {
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

export function heldGrants(sourced: readonly SourcedGrant[]): StoredGrants {
  const sources = new GrantSources(sourced);
  return {
    direct: mergeGrants(sourced.filter(({ role }) => role === null)),
    effective: mergeGrants(sourced).map((grant) => ({ ...grant, from: sources.of(grant) })),
  };
}

/** Where grants come from, looked through once however many there are. */
export class GrantSources {
  private readonly roles = new Map<string, Set<string | null>>();

  constructor(sourced: readonly SourcedGrant[]) {
    for (const grant of sourced) {
      const known = this.roles.get(keyOf(grant));
      if (known) known.add(grant.role);
      else this.roles.set(keyOf(grant), new Set([grant.role]));
    }
  }

  /** What gives exactly this grant: null for the user directly, then the names of roles. */
  of(grant: Grant): (string | null)[] {
    const from = [...(this.roles.get(keyOf(grant)) ?? [])];
    const roles = from.filter((role) => role !== null).sort();
    return roles.length < from.length ? [null, ...roles] : roles;
  }
}

const keyOf = (grant: Grant): string => `${formatPermissionCode(grant)} ${grant.level}`;
