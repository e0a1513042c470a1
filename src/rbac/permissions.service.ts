import { Injectable } from '@nestjs/common';
import { PermissionChecker } from '../platform/access';
import { CacheFactory, ReadThroughCache } from '../platform/cache';
import { Environment } from '../platform/config';
import { andThen, MaybePromise } from '../platform/maybe-promise';
import { CatalogueCache } from './catalogue.cache';
import { GrantRepository, UserHoldings } from './grant.repository';
import {
  GrantSet,
  hasStandardRank,
  parsePermissionCode,
  PermissionCheck,
  PermissionCode,
  permissionIdOf,
} from './permission';

/** `UserHoldings`, compiled for checking. */
interface GrantState extends Pick<UserHoldings, 'demandsSecondFactor'> {
  readonly grants: GrantSet;
  /** What routes asked before, by the permission as they name it: few, and the same over and over. */
  judged?: Map<string, boolean>;
}

const stateOfGrants = ({ grants, demandsSecondFactor }: UserHoldings): GrantState => ({
  grants: new GrantSet(grants),
  demandsSecondFactor,
});

const NOTHING = stateOfGrants({ grants: [], demandsSecondFactor: false });

/** What each user may do: grants given directly and through roles, merged and compiled for checking. */
@Injectable()
export class PermissionsService extends PermissionChecker {
  private readonly state: ReadThroughCache<GrantState>;
  /** Routes name few permissions, over and over. */
  private readonly parsed = new Map<string, PermissionCode>();

  constructor(
    caches: CacheFactory,
    private readonly environment: Environment,
    private readonly grants: GrantRepository,
    private readonly catalogue: CatalogueCache,
  ) {
    super();
    this.state = caches.create<GrantState>('grants');
  }

  of(userId: string): MaybePromise<GrantSet> {
    return andThen(this.held(userId), ({ grants }) => grants);
  }

  /** Whether a role of the user's asks for a second factor. */
  demandSecondFactor(userId: string): MaybePromise<boolean> {
    return andThen(this.held(userId), ({ demandsSecondFactor }) => demandsSecondFactor);
  }

  isGranted(userId: string, permission: string): MaybePromise<boolean> {
    return andThen(this.held(userId), (held) => held.judged?.get(permission) ?? this.judge(held, permission));
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

  /** To be called in the transaction that changes what the users hold. */
  async invalidate(users: string | readonly string[]): Promise<void> {
    await this.state.invalidate(users);
  }

  /** As `invalidate`, for a role: how many users it has does not matter then. */
  async invalidateAll(): Promise<void> {
    await this.state.invalidateAll();
  }

  private held(userId: string): MaybePromise<GrantState> {
    const held = this.state.get(userId, () => this.load(userId));
    return andThen(held, (found) => found ?? NOTHING);
  }

  private async load(userId: string): Promise<GrantState> {
    return stateOfGrants(await this.grants.holdingsOf(userId));
  }

  private judge(held: GrantState, permission: string): MaybePromise<boolean> {
    const code = this.parse(permission);
    return andThen(this.catalogue.ranksFor(code), (ranks) => {
      const isGranted = held.grants.allows(code, ranks);
      // What the catalogue asks for may change while the grants are still valid.
      if (hasStandardRank(code.action)) (held.judged ??= new Map()).set(permission, isGranted);
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
