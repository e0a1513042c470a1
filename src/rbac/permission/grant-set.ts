import { Grant, grantOf, mergeGrants, neededLevel, PermissionCheck } from './grant';
import { PermissionCode, WILDCARD } from './permission-code';
import { ADMIN_ACTION, PermissionLevel, RankSource } from './permission-level';

/** The grants for one resource of one scope. `any` is the strongest of those that reach every action. */
interface ActionIndex {
  readonly exact: Map<string, Grant>;
  any: Grant | undefined;
}

type ResourceIndex = Map<string, ActionIndex>;

/** Everything one holder holds, merged and compiled for checks in the hot path. It does not change once made. */
export class GrantSet {
  private readonly grants: readonly Grant[];
  private readonly scopes = new Map<string, ResourceIndex>();

  constructor(grants: Iterable<Grant>) {
    this.grants = mergeGrants(grants);
    for (const grant of this.grants) this.index(grant);
  }

  /** @param catalogue is asked for actions without a standard rank alone. */
  allows(check: PermissionCheck, catalogue?: RankSource): boolean {
    return this.findCovering(check, catalogue) !== undefined;
  }

  /** The grant that allows the check, the most particular one first (scope, then resource, then action); undefined when it is denied. */
  findCovering(check: PermissionCheck, catalogue?: RankSource): Grant | undefined {
    return this.find(check, neededLevel(check, catalogue));
  }

  /**
   * Those of the grants that the holder may not hand out, merged. Of every other one: each check that it allows, a grant
   * of the holder's allows. What a check needs depends on the check alone, so this stays true under every catalogue, a
   * later one too.
   */
  missing(grants: Iterable<Grant>): Grant[] {
    return mergeGrants(grants).filter((grant) => this.find(grant, grant.level) === undefined);
  }

  /**
   * The least grant that would allow a denied check; undefined when the check is allowed. A part asked as `*` is granted
   * as `*`, since nothing narrower reaches it; so every grant that would do covers this one.
   */
  closest(check: PermissionCheck, catalogue?: RankSource): Grant | undefined {
    return this.allows(check, catalogue) ? undefined : grantOf(check, neededLevel(check, catalogue));
  }

  /** The merged grants, by scope and then permission. */
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
    if (grant.action === WILDCARD || grant.action === ADMIN_ACTION) actions.any = stronger(actions.any, grant);
    this.scopes.set(grant.scope, resources.set(grant.resource, actions));
  }
}

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
