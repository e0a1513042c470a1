import { Injectable } from '@nestjs/common';
import { andThen, MaybePromise } from '../platform/util';
import { SettingsReader } from '../platform/settings';
import { AvatarOwner, shownAvatar } from './rules';
import { UserCache, UserView, userView } from './user.cache';
import { UserRepository } from './user.repository';
import { externalAvatars } from './users.settings';

const withShownAvatar = <T extends AvatarOwner>(user: T): T => {
  const avatar = shownAvatar(user);
  return avatar === user.avatar ? user : { ...user, avatar };
};

/**
 * Users as responses show them. Every response with an avatar gets its users from here. Without external avatars, a
 * generated one takes the place of an address at another site, which stays stored.
 */
@Injectable()
export class ShownUsersService {
  constructor(
    private readonly cache: UserCache,
    private readonly users: UserRepository,
    private readonly settings: SettingsReader,
  ) {}

  show<T extends AvatarOwner>(user: T): MaybePromise<T> {
    return andThen(this.settings.get(externalAvatars), (isAllowed) => (isAllowed ? user : withShownAvatar(user)));
  }

  all<T extends AvatarOwner>(users: readonly T[]): MaybePromise<readonly T[]> {
    return andThen(this.settings.get(externalAvatars), (isAllowed) => (isAllowed ? users : users.map(withShownAvatar)));
  }

  /** From the cache. */
  get(id: string): MaybePromise<UserView | undefined> {
    return andThen(this.cache.get(id), (user) => user && this.show(user));
  }

  /** From the database. */
  async find(id: string): Promise<UserView | undefined> {
    const user = await this.users.findById(id);
    return user ? this.show(userView(user)) : undefined;
  }
}
