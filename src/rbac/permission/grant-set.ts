import { Grant, grantOf, mergeGrants, neededLevel, PermissionCheck } from './grant';
import { PermissionCode, WILDCARD } from './permission-code';
import { ADMIN_ACTION, hasStandardRank, MAX_LEVEL, PermissionLevel, rankOf, RankSource } from './permission-level';

/** The grants for one resource of one scope. `any` is the strongest one that covers every action. */
interface ActionIndex {
  readonly exact: Map<string, Grant>;
  any: Grant | undefined;
}

type ResourceIndex = Map<string, ActionIndex>;

/** All grants of one holder, merged and indexed for checks on the hot path. Immutable. */
export class GrantSet {
  private readonly grants: readonly Grant[];
  private readonly scopes = new Map<string, ResourceIndex>();

  constructor(grants: Iterable<Grant>) {
    this.grants = mergeGrants(grants);
    for (const grant of this.grants) this.index(grant);
  }

  /** @param catalogue is read only for actions without a standard rank */
  allows(check: PermissionCheck, catalogue?: RankSource): boolean {
    return this.findCovering(check, catalogue) !== undefined;
  }

  /**
   * Returns the grant that allows the check, most specific first (scope, then resource, then action), or undefined when
   * the check is denied.
   */
  findCovering(check: PermissionCheck, catalogue?: RankSource): Grant | undefined {
    return this.find(check, neededLevel(check, catalogue));
  }

  /**
   * Returns the grants that the holder may not grant to others, merged. For every other grant, each check that it
   * allows is also allowed by a grant of the holder. The level that a check needs depends only on the check, so this
   * holds under every catalogue, also a later one.
   */
  missing(grants: Iterable<Grant>): Grant[] {
    return mergeGrants(grants).filter((grant) => this.find(grant, grant.level) === undefined);
  }

  /**
   * Returns the smallest grant that would allow a denied check, or undefined when the check is allowed. A part checked
   * as `*` needs a grant for `*`, so every sufficient grant covers this one.
   */
  closest(check: PermissionCheck, catalogue?: RankSource): Grant | undefined {
    return this.allows(check, catalogue) ? undefined : grantOf(check, neededLevel(check, catalogue));
  }

  /** Whether a check's result may depend on the catalogue: a grant below level 7 covers an action without a standard rank. */
  get dependsOnCatalogue(): boolean {
    return this.grants.some(
      ({ action, level }) => level < MAX_LEVEL && (coversAll(action) || !hasStandardRank(action)),
    );
  }

  /**
   * Returns the codes that the catalogue's level allows and level 7 would not, with that level. A check that knows only
   * these levels has the same result as one that knows the whole catalogue.
   */
  loweredBy(codes: readonly PermissionCode[], catalogue: RankSource): Grant[] {
    const lowered = codes.filter((code) => this.allows(code, catalogue) && !this.allows(code));
    return mergeGrants(lowered.map((code) => grantOf(code, rankOf(code, catalogue))));
  }

  /** The merged grants, sorted by scope, then permission. */
  toList(): readonly Grant[] {
    return this.grants;
  }

  private find(code: PermissionCode, level: PermissionLevel): Grant | undefined {
    return findInScope(this.scopes.get(code.scope), code, level) ?? findInScope(this.scopes.get(WILDCARD), code, level);
  }

  private index(grant: Grant): void {
    const resources = this.scopes.get(grant.scope) ?? new Map<string, ActionIndex>();
    const actions: ActionIndex = resources.get(grant.resource) ?? { exact: new Map<string, Grant>(), any: undefined };
    actions.exact.set(grant.action, grant);
    if (coversAll(grant.action)) actions.any = stronger(actions.any, grant);
    this.scopes.set(grant.scope, resources.set(grant.resource, actions));
  }
}

const coversAll = (action: string): boolean => action === WILDCARD || action === ADMIN_ACTION;

function findInScope(
  resources: ResourceIndex | undefined,
  code: PermissionCode,
  level: PermissionLevel,
): Grant | undefined {
  if (resources === undefined) return undefined;
  return (
    findInResource(resources.get(code.resource), code, level) ?? findInResource(resources.get(WILDCARD), code, level)
  );
}

function findInResource(
  actions: ActionIndex | undefined,
  code: PermissionCode,
  level: PermissionLevel,
): Grant | undefined {
  if (actions === undefined) return undefined;
  return ifReaching(actions.exact.get(code.action), level) ?? ifReaching(actions.any, level);
}

function ifReaching(grant: Grant | undefined, level: PermissionLevel): Grant | undefined {
  return grant !== undefined && grant.level >= level ? grant : undefined;
}

function stronger(known: Grant | undefined, other: Grant): Grant {
  return known !== undefined && known.level >= other.level ? known : other;
}
