import { Injectable } from '@nestjs/common';
import { PermissionChecker } from '../platform/access';
import { CacheFactory, ReadThroughCache } from '../platform/cache';
import { Environment } from '../platform/config';
import { andThen, MaybePromise } from '../platform/maybe-promise';
import { CatalogueCache } from './catalogue.cache';
import { GrantRepository, EffectiveGrants } from './grant.repository';
import { UserRoleCache } from './user-role.cache';
import {
  GrantSet,
  hasStandardRank,
  parsePermissionCode,
  PermissionCheck,
  PermissionCode,
  permissionIdOf,
} from './permission';

/** `EffectiveGrants`, indexed for checks. */
interface GrantState extends Pick<EffectiveGrants, 'demandsSecondFactor'> {
  readonly grants: GrantSet;
  /** Earlier results by the permission as routes name it. Routes name few permissions, again and again. */
  results?: Map<string, boolean>;
}

const stateOfGrants = ({ grants, demandsSecondFactor }: EffectiveGrants): GrantState => ({
  grants: new GrantSet(grants),
  demandsSecondFactor,
});

const NOTHING = stateOfGrants({ grants: [], demandsSecondFactor: false });

/** The effective grants of each user, direct and from roles, merged and indexed for checks. */
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
  ) {
    super();
    this.state = caches.create<GrantState>('grants');
  }

  of(userId: string): MaybePromise<GrantSet> {
    return andThen(this.held(userId), ({ grants }) => grants);
  }

  /** Whether one of the user's roles requires a second factor. */
  demandSecondFactor(userId: string): MaybePromise<boolean> {
    return andThen(this.held(userId), ({ demandsSecondFactor }) => demandsSecondFactor);
  }

  isGranted(userId: string, permission: string): MaybePromise<boolean> {
    return andThen(this.held(userId), (held) => held.results?.get(permission) ?? this.evaluate(held, permission));
  }

  allows(userId: string, check: PermissionCheck): MaybePromise<boolean> {
    return andThen(this.catalogue.ranksFor(check), (ranks) =>
      andThen(this.held(userId), ({ grants }) => grants.allows(check, ranks)),
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

  /** Call in the transaction that changes the users' grants or roles. */
  async invalidate(users: string | readonly string[]): Promise<void> {
    await this.state.invalidate(users);
    await this.roles.invalidate(users);
  }

  /** Same as `invalidate`, for a change of a role, so that its members need not be listed. */
  async invalidateAll(): Promise<void> {
    await this.state.invalidateAll();
    await this.roles.invalidateAll();
  }

  private held(userId: string): MaybePromise<GrantState> {
    const held = this.state.get(userId, () => this.load(userId));
    return andThen(held, (found) => found ?? NOTHING);
  }

  private async load(userId: string): Promise<GrantState> {
    return stateOfGrants(await this.grants.effectiveGrantsOf(userId));
  }

  private evaluate(held: GrantState, permission: string): MaybePromise<boolean> {
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
