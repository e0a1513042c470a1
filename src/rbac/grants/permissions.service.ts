import { Injectable } from '@nestjs/common';
import { PermissionChecker } from '../../platform/access';
import { CacheFactory, ReadThroughCache } from '../../platform/cache';
import { Environment } from '../../platform/config';
import { isId, andThen, MaybePromise } from '../../platform/util';
import { CatalogueCache, CatalogueEntries } from '../permission/catalogue.cache';
import { SourcedGrantSet } from '../permission/effective-grants';
import { GrantRepository, EffectiveGrants } from './grant.repository';
import { UserGroupCache } from './user-group.cache';
import { ByOrganization } from './by-organization';
import { OrganizationGrantRepository, OrganizationUser } from './organization-grant.repository';
import { UserCache } from '../../users';
import { UserRoleCache } from './user-role.cache';
import {
  Grant,
  GrantSet,
  hasStandardRank,
  parsePermissionCode,
  PermissionCheck,
  PermissionCode,
  permissionIdOf,
} from '../permission';

/** `EffectiveGrants`, indexed for checks. */
interface GrantState extends Pick<EffectiveGrants, 'demandsSecondFactor'> {
  readonly grants: GrantSet;
  /** Earlier results by the permission as routes name it. Routes name few permissions, again and again. */
  results?: Map<string, boolean>;
  page?: { readonly entries: CatalogueEntries; readonly grants: PageGrants };
  /** These end with the state of the user, so that what invalidates it invalidates them. */
  readonly organizations: ByOrganization<OrganizationState>;
  readonly sourced: ByOrganization<SourcedGrantSet>;
}

/** What a user holds in an organization, with the grants that hold everywhere. */
export interface OrganizationState extends Pick<GrantState, 'grants' | 'results' | 'demandsSecondFactor'> {
  readonly isMember: boolean;
  /** Whether there is such an organization. */
  readonly exists: boolean;
  /** The login methods that it accepts from this member. Undefined: all. */
  readonly acceptedLogins: ReadonlySet<string> | undefined;
}

/** A state that checks may be evaluated by. */
type Checkable = Pick<GrantState, 'grants' | 'results' | 'demandsSecondFactor'>;

/** What pages need to evaluate checks as `allows` does. */
export interface PageGrants {
  /** Merged, sorted by scope, then permission. */
  readonly grants: readonly Grant[];
  /** Of codes that name no scope. */
  readonly defaultScope: string;
  /** The levels of the catalogue that matter for the grants. */
  readonly requiredLevels: readonly Grant[];
}

const stateOfGrants = ({ grants, demandsSecondFactor }: EffectiveGrants): GrantState => ({
  grants: new GrantSet(grants),
  demandsSecondFactor,
  organizations: new ByOrganization(),
  sourced: new ByOrganization(),
});

const nothing = (): GrantState => stateOfGrants({ grants: [], demandsSecondFactor: false });

/**
 * The effective grants of each user, direct and from roles of the user and of groups, merged and indexed for checks:
 * those that hold everywhere, or with those of one organization.
 */
@Injectable()
export class PermissionsService extends PermissionChecker {
  private readonly state: ReadThroughCache<GrantState>;
  /** Routes name few permissions, again and again. */
  private readonly parsed = new Map<string, PermissionCode>();

  constructor(
    caches: CacheFactory,
    private readonly environment: Environment,
    private readonly grants: GrantRepository,
    private readonly catalogue: CatalogueCache,
    private readonly roles: UserRoleCache,
    private readonly groups: UserGroupCache,
    private readonly organizations: OrganizationGrantRepository,
    private readonly users: UserCache,
  ) {
    super();
    this.state = caches.create<GrantState>('grants');
  }

  findGrants(userId: string): MaybePromise<GrantSet> {
    return andThen(this.held(userId), ({ grants }) => grants);
  }

  /** The grants of the user with what pages need to evaluate checks. The same object until it changes. */
  forPages(userId: string): MaybePromise<PageGrants> {
    return andThen(this.held(userId), (held) =>
      andThen(this.catalogue.entriesFor(held.grants), (entries) => {
        if (held.page?.entries !== entries) held.page = { entries, grants: this.pageGrants(held.grants, entries) };
        return held.page.grants;
      }),
    );
  }

  /**
   * Whether one of the user's roles requires a second factor.
   * @param organizationId counts the roles in this organization, too; may be any text
   */
  demandSecondFactor(userId: string, organizationId?: string): MaybePromise<boolean> {
    const within = isId(organizationId) ? organizationId : undefined;
    return andThen(this.heldWithin(userId, within), ({ demandsSecondFactor }) => demandsSecondFactor);
  }

  isGranted(userId: string, permission: string, organizationId?: string): MaybePromise<boolean> {
    return andThen(this.isDisabled(userId), (isDisabled) => {
      if (isDisabled) return false;
      return andThen(
        this.heldWithin(userId, organizationId),
        (held) => held.results?.get(permission) ?? this.evaluate(held, permission),
      );
    });
  }

  allows(userId: string, check: PermissionCheck, organizationId?: string): MaybePromise<boolean> {
    return andThen(this.isDisabled(userId), (isDisabled) => {
      if (isDisabled) return false;
      return andThen(this.catalogue.ranksFor(check), (ranks) =>
        andThen(this.heldWithin(userId, organizationId), ({ grants }) => grants.allows(check, ranks)),
      );
    });
  }

  /** No check allows a disabled user anything, whatever the user holds. */
  isDisabled(userId: string): MaybePromise<boolean> {
    return andThen(this.users.get(userId), (user) => user?.status === 'disabled');
  }

  /** What the user holds in the organization. Of an id that belongs to none, what the user holds everywhere. */
  inOrganization(userId: string, organizationId: string): MaybePromise<OrganizationState> {
    return andThen(this.held(userId), (held) =>
      held.organizations.get(organizationId, () => this.loadOrganization(held, { userId, organizationId })),
    );
  }

  /** The grants with their sources, of an organization with those that hold everywhere. */
  sourced(userId: string, organizationId?: string): MaybePromise<SourcedGrantSet> {
    return andThen(this.held(userId), ({ sourced }) =>
      sourced.get(organizationId, () => this.loadSourced(userId, organizationId)),
    );
  }

  describe(permission: string): { permission: string; scope: string } {
    const code = this.parse(permission);
    return { permission: permissionIdOf(code), scope: code.scope };
  }

  /** Reads the user's grants from the database, so that the next checks include every change committed before. */
  async reload(userId: string): Promise<void> {
    await this.state.reload(userId, () => this.load(userId));
  }

  /** Call in the transaction that changes the users' grants, roles or groups. */
  async invalidate(users: string | readonly string[]): Promise<void> {
    await this.state.invalidate(users);
    await this.roles.invalidate(users);
    await this.groups.invalidate(users);
  }

  /** Same as `invalidate`, for a change of a role or group, so that its members need not be listed. */
  async invalidateAll(): Promise<void> {
    await this.state.invalidateAll();
    await this.roles.invalidateAll();
    await this.groups.invalidateAll();
  }

  private pageGrants(grants: GrantSet, { codes, ranks }: CatalogueEntries): PageGrants {
    return {
      grants: grants.toList(),
      defaultScope: this.environment.serviceScope,
      requiredLevels: grants.loweredBy(codes, ranks),
    };
  }

  private heldWithin(userId: string, organizationId: string | undefined): MaybePromise<Checkable> {
    return organizationId === undefined ? this.held(userId) : this.inOrganization(userId, organizationId);
  }

  private async loadOrganization(held: GrantState, pair: OrganizationUser): Promise<OrganizationState> {
    const { grants, isMember, exists, acceptedLogins, demandsSecondFactor } = await this.organizations.ofMember(pair);
    return {
      grants: grants.length === 0 ? held.grants : new GrantSet([...held.grants.toList(), ...grants]),
      isMember,
      exists,
      acceptedLogins,
      demandsSecondFactor: held.demandsSecondFactor || demandsSecondFactor,
    };
  }

  private async loadSourced(userId: string, organizationId: string | undefined): Promise<SourcedGrantSet> {
    const [everywhere, within] = await Promise.all([
      this.grants.withSources(userId),
      organizationId === undefined ? [] : this.organizations.withSources({ userId, organizationId }),
    ]);
    return new SourcedGrantSet([...everywhere, ...within]);
  }

  private held(userId: string): MaybePromise<GrantState> {
    const held = this.state.get(userId, () => this.load(userId));
    return andThen(held, (found) => found ?? nothing());
  }

  private async load(userId: string): Promise<GrantState> {
    return stateOfGrants(await this.grants.effectiveGrantsOf(userId));
  }

  private evaluate(held: Checkable, permission: string): MaybePromise<boolean> {
    const code = this.parse(permission);
    return andThen(this.catalogue.ranksFor(code), (ranks) => {
      const isGranted = held.grants.allows(code, ranks);
      // Catalogue levels may change while the cached grants stay valid, so cache only standard ranks.
      if (hasStandardRank(code.action)) (held.results ??= new Map()).set(permission, isGranted);
      return isGranted;
    });
  }

  private parse(permission: string): PermissionCode {
    const known = this.parsed.get(permission);
    if (known) return known;
    const code = parsePermissionCode(permission, this.environment.serviceScope);
    if (!code) throw new Error(`"${permission}" is not a permission code`);
    this.parsed.set(permission, code);
    return code;
  }
}
