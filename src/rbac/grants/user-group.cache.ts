import { Injectable } from '@nestjs/common';
import { CacheFactory, ReadThroughCache } from '../../platform/cache';
import { andThen, MaybePromise } from '../../platform/util';
import { GroupRepository, HeldGroup } from './group.repository';

const NONE: readonly HeldGroup[] = [];

/** The groups of users and those above them, by user id, cached in memory for at most a second. */
@Injectable()
export class UserGroupCache {
  private readonly cache: ReadThroughCache<readonly HeldGroup[]>;

  constructor(
    caches: CacheFactory,
    private readonly groups: GroupRepository,
  ) {
    this.cache = caches.create<readonly HeldGroup[]>('user_groups');
  }

  /** By name. */
  get(userId: string): MaybePromise<readonly HeldGroup[]> {
    return andThen(
      this.cache.get(userId, () => this.groups.ofUser(userId)),
      (groups) => groups ?? NONE,
    );
  }

  /** Reads the user's groups from the database, past the cache. */
  async reload(userId: string): Promise<void> {
    await this.cache.reload(userId, () => this.groups.ofUser(userId));
  }

  /** Called by `PermissionsService.invalidate`, so that no change of groups forgets it. */
  invalidate(users: string | readonly string[]): Promise<void> {
    return this.cache.invalidate(users);
  }

  invalidateAll(): Promise<void> {
    return this.cache.invalidateAll();
  }
}
