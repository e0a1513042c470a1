import { Injectable } from '@nestjs/common';
import { CacheFactory, ReadThroughCache } from '../../platform/cache';
import { andThen, MaybePromise } from '../../platform/util';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';

/** A role that a user has, also through a group. Two roles with one name differ in their scope. */
export type HeldRole = Pick<Role, 'id' | 'scope' | 'name'>;

const NONE: readonly HeldRole[] = [];

/** The roles that users hold, also through groups, by user id, cached in memory for at most a second. */
@Injectable()
export class UserRoleCache {
  private readonly cache: ReadThroughCache<readonly HeldRole[]>;

  constructor(
    caches: CacheFactory,
    private readonly roles: RoleRepository,
  ) {
    this.cache = caches.create<readonly HeldRole[]>('user_roles');
  }

  /** By scope, then name. */
  get(userId: string): MaybePromise<readonly HeldRole[]> {
    return andThen(
      this.cache.get(userId, () => this.load(userId)),
      (roles) => roles ?? NONE,
    );
  }

  /** Reads the user's roles from the database, past the cache. */
  async reload(userId: string): Promise<void> {
    await this.cache.reload(userId, () => this.load(userId));
  }

  /** Called by `PermissionsService.invalidate`, so that no change of roles forgets it. */
  invalidate(users: string | readonly string[]): Promise<void> {
    return this.cache.invalidate(users);
  }

  invalidateAll(): Promise<void> {
    return this.cache.invalidateAll();
  }

  private async load(userId: string): Promise<HeldRole[]> {
    const roles = await this.roles.heldBy(userId);
    return roles.map(({ id, scope, name }) => ({ id, scope, name }));
  }
}
