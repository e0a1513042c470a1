import { Injectable } from '@nestjs/common';
import { ActingUser, Caller } from '../platform/context';
import { allOf, andThen, MaybePromise } from '../platform/maybe-promise';
import { PageGrants, PermissionsService } from '../rbac';
import { sessionErrors } from '../session';
import { UserView, UserCache } from '../users';
import { UserInfoWithPermsDto, userInfoWithPermsDto } from './dto/user.dto';

/** The JSON is cached without the actor. */
const withActor = (json: string, { userId, username }: ActingUser): string =>
  `${json.slice(0, -1)},"actor":${JSON.stringify({ id: userId, username })}}`;

interface Serialized {
  readonly grants: PageGrants;
  readonly json: string;
}

/** The caller's account with permissions. Pages and services read it all the time. */
@Injectable()
export class OwnAccountService {
  /**
   * Keyed by the cached user and valid for the grants it was built from. Both objects are replaced when they change.
   */
  private readonly serialized = new WeakMap<UserView, Serialized>();

  constructor(
    private readonly users: UserCache,
    private readonly permissions: PermissionsService,
  ) {}

  /**
   * The JSON of a `UserInfoWithPermsDto`. Throws `session_revoked`.
   *
   * @param options.fromDatabase reads the permissions past the cache
   */
  json(userId: string, { fromDatabase = false } = {}): MaybePromise<string> {
    if (fromDatabase) return this.permissions.reload(userId).then(() => this.json(userId));
    const found = allOf([this.users.get(userId), this.permissions.forPages(userId)]);
    return andThen(found, ([user, grants]) => {
      if (!user) throw sessionErrors.sessionRevoked();
      return this.jsonOf(user, grants);
    });
  }

  /** Same as `json` for the caller; names the user who acts as the caller. */
  jsonFor(
    { userId, actor }: Pick<Caller, 'userId' | 'actor'>,
    options?: { fromDatabase?: boolean },
  ): MaybePromise<string> {
    const json = this.json(userId, options);
    return actor ? andThen(json, (account) => withActor(account, actor)) : json;
  }

  async describe(user: UserView): Promise<UserInfoWithPermsDto> {
    return userInfoWithPermsDto(user, await this.permissions.forPages(user.id));
  }

  private jsonOf(user: UserView, grants: PageGrants): string {
    const known = this.serialized.get(user);
    if (known?.grants === grants) return known.json;
    const json = JSON.stringify(userInfoWithPermsDto(user, grants));
    this.serialized.set(user, { grants, json });
    return json;
  }
}
