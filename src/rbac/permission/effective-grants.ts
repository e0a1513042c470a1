import { compareCodeUnits } from '../../platform/util';
import { formatPermissionCode, Grant, GrantSet, mergeGrants, PermissionCheck, RankSource } from '.';

/** A group that has a role. */
export interface GrantingGroup {
  readonly name: string;
  /** Names from the group at the top to the group that the user is a member of, which may be below the granting one. */
  readonly path: readonly string[];
}

/** The organization in which a grant holds. */
export interface GrantingOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

/** Where a user has a grant from. */
export interface GrantSource {
  /** The name of the role, or null for a direct grant. */
  readonly role: string | null;
  /** The group that has the role, or null if the user has it. */
  readonly group: GrantingGroup | null;
  /** Absent from grants that hold everywhere. */
  readonly organization?: GrantingOrganization;
}

export interface SourcedGrant extends Grant, GrantSource {}

/** An effective grant and its sources at this level: a direct grant first, then roles by name. */
export interface EffectiveGrant extends Grant {
  readonly from: readonly GrantSource[];
}

/** A direct grant. */
export interface DirectGrant extends Grant {
  /** The organization in which it holds. Absent from grants that hold everywhere. */
  readonly organizationId?: string;
}

/** One user's grants, each list sorted by scope, then permission. */
export interface StoredGrants {
  /** Those that hold everywhere first, then those of each organization. */
  readonly direct: readonly DirectGrant[];
  /** What holds everywhere. */
  readonly effective: readonly EffectiveGrant[];
}

/** The result of a check, with the reason. */
export interface CheckedPermission {
  readonly check: PermissionCheck;
  /** The organization whose grants counted, too. */
  readonly organizationId?: string;
  readonly allowed: boolean;
  /** The grant that allows the check and its source. */
  readonly because: { readonly source: GrantSource; readonly grant: Grant } | null;
  /** The smallest grant that would allow a denied check. Null if it is not a grant that is missing. */
  readonly closest: Grant | null;
  /** Why no grant would allow it. Absent otherwise. */
  readonly reason?: 'subject_disabled';
}

export function heldGrants(sourced: readonly SourcedGrant[]): StoredGrants {
  const sources = new GrantSources(sourced);
  return {
    direct: mergeGrants(sourced.filter(({ role }) => role === null)),
    effective: mergeGrants(sourced).map((grant) => ({ ...grant, from: sources.findSources(grant) })),
  };
}

/** The sources of grants, indexed once. */
export class GrantSources {
  private readonly sources = new Map<string, Map<string, GrantSource>>();

  constructor(sourced: readonly SourcedGrant[]) {
    for (const grant of sourced) {
      const { role, group, organization } = grant;
      const source = { role, group, ...(organization && { organization }) };
      const known = this.sources.get(keyOf(grant)) ?? new Map<string, GrantSource>();
      known.set(orderOf(source), source);
      this.sources.set(keyOf(grant), known);
    }
  }

  /**
   * The sources of exactly this grant: what holds everywhere first, a direct grant first, then by role; in a role, the
   * user before groups.
   */
  findSources(grant: Grant): GrantSource[] {
    const found = [...(this.sources.get(keyOf(grant)) ?? [])];
    return found.sort(([one], [other]) => compareCodeUnits(one, other)).map(([, source]) => source);
  }
}

/** Grants, indexed once for checks and for explanations. */
export class SourcedGrantSet {
  private readonly held: GrantSet;
  private readonly sources: GrantSources;

  constructor(grants: readonly SourcedGrant[]) {
    this.held = new GrantSet(grants);
    this.sources = new GrantSources(grants);
  }

  explain(check: PermissionCheck, ranks: RankSource): Pick<CheckedPermission, 'allowed' | 'because' | 'closest'> {
    const grant = this.held.findCovering(check, ranks);
    const [source] = grant ? this.sources.findSources(grant) : [];
    return {
      allowed: grant !== undefined,
      because: grant && source ? { source, grant } : null,
      closest: this.held.closest(check, ranks) ?? null,
    };
  }
}

const keyOf = (grant: Grant): string => `${formatPermissionCode(grant)} ${grant.level}`;

/** Sorts as `of` says. The separator sorts before the characters of all names. */
const orderOf = ({ role, group, organization }: GrantSource): string =>
  [organization?.id ?? '', role ?? '', group?.name ?? '', ...(group?.path ?? [])].join('\u0000');
