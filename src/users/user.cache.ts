import { Injectable } from '@nestjs/common';
import { CacheFactory, ReadThroughCache } from '../platform/cache';
import { MaybePromise } from '../platform/util';
import { User } from './user.entity';
import { UserRepository } from './user.repository';

/** A user without the password hash. */
export type UserView = Readonly<
  Omit<User, 'passwordHash' | 'searchSegment' | 'deletionRemindedAt' | 'formerUsernameKey'>
> & {
  readonly hasPassword: boolean;
};

export function userView({ passwordHash, ...user }: User): UserView {
  return { ...user, hasPassword: passwordHash !== null };
}

/** Users by id, cached in memory for at most a second. */
@Injectable()
export class UserCache {
  private readonly cache: ReadThroughCache<UserView>;

  constructor(
    caches: CacheFactory,
    private readonly users: UserRepository,
  ) {
    this.cache = caches.create<UserView>('user');
  }

  get(id: string): MaybePromise<UserView | undefined> {
    return this.cache.get(id, () => this.load(id));
  }

  /** Reads the user from the database, for callers that may not use a cached state. */
  reload(id: string): Promise<UserView | undefined> {
    return this.cache.reload(id, () => this.load(id));
  }

  /** Call in the transaction that changes the user. */
  invalidate(ids: string | readonly string[]): Promise<void> {
    return this.cache.invalidate(ids);
  }

  private async load(id: string): Promise<UserView | undefined> {
    const user = await this.users.findById(id);
    return user ? userView(user) : undefined;
  }
}
