import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import { CursorAnswer, CursorsService, listByPage, PageAnswer, pageOf, windowOf } from '../platform/lists';
import { LockoutService } from '../auth/login';
import { ShownUsersService, UserView, userView, UserRepository } from '../users';
import { AttributeValues, shownValues, UserAttributesService } from '../users/attributes';
import { ListUsersDto } from './dto/user-input.dto';
import { UserDetails, UserDetailsService } from './user-details.service';
import { UserFiltersService } from './user-filters.service';
import { ListedUser, UserListRepository } from './user-list.repository';
import { positionIn } from './user-order';

/** Roles that a list shows of each user. */
const MAX_LISTED_ROLES = 10;

/** A user with the end of the last lock, if failed logins have locked the account. */
export interface AdminUser<User extends UserView = UserView> {
  readonly user: User;
  /** Of the attributes in force. */
  readonly attributes: AttributeValues;
  readonly lockedUntil: Date | undefined;
  /** Present if the request asks for them. */
  readonly details?: UserDetails;
}

/** Finds and lists users for administrators. */
@Injectable()
export class UserDirectoryService {
  constructor(
    private readonly users: UserRepository,
    private readonly lists: UserListRepository,
    private readonly filters: UserFiltersService,
    private readonly details: UserDetailsService,
    private readonly cursors: CursorsService,
    private readonly lockout: LockoutService,
    private readonly shown: ShownUsersService,
    private readonly attributes: UserAttributesService,
  ) {}

  /**
   * Throws `validation_failed` for a cursor of another list, a cursor combined with a page, or an order combined with a
   * keyword.
   */
  async list<T>(query: ListUsersDto, item: (user: AdminUser) => T): Promise<PageAnswer<T> | CursorAnswer<T>> {
    const window = windowOf(query);
    const filter = await this.filters.read(query);
    if (window.by === 'page') {
      const page = pageOf(window.query);
      const users = await this.seeAll(await this.lists.page(filter, page), query);
      return listByPage(page, users.map(item), await this.lists.count(filter));
    }
    const list = nameOf(query);
    const cursorPage = this.cursors.read(list, window.query);
    const users = await this.seeAll(await this.lists.cursorPage(filter, cursorPage), query);
    return this.cursors.answer(list, cursorPage, users, {
      item,
      position: ({ user }) => positionIn(filter.sort, user),
    });
  }

  /** Throws `not_found`. */
  async find(id: string): Promise<AdminUser> {
    const user = await this.users.findById(id);
    if (!user) throw platformErrors.notFound();
    return this.see(userView(user));
  }

  async see<User extends UserView>(user: User): Promise<AdminUser<User>> {
    const attributes = await this.attributes.shown(user.attributes, 'administrator');
    return seen(await this.shown.show(user), attributes, await this.lockout.lockedFor(user.id));
  }

  private async seeAll(
    users: readonly ListedUser[],
    { details: isDetailed = false }: ListUsersDto,
  ): Promise<AdminUser<ListedUser>[]> {
    const ids = users.map(({ id }) => id);
    const seconds = await this.lockout.lockedForEach(ids);
    const details = isDetailed ? await this.details.load(ids, MAX_LISTED_ROLES) : [];
    const defined = await this.attributes.all();
    return (await this.shown.all(users)).map((user, place) => {
      const attributes = shownValues(defined, user.attributes, 'administrator');
      return seen(user, attributes, seconds[place] ?? 0, details[place]);
    });
  }
}

const seen = <User extends UserView>(
  user: User,
  attributes: AttributeValues,
  lockedSeconds: number,
  details?: UserDetails,
): AdminUser<User> => ({
  user,
  attributes,
  lockedUntil: lockedSeconds > 0 ? new Date(Date.now() + lockedSeconds * 1_000) : undefined,
  ...(details && { details }),
});

/** Identifies the list, its filters and its order in a cursor. */
function nameOf({ keyword, status, locked, role_id, has_second_factor, attribute, sort }: ListUsersDto): string {
  return `users ${JSON.stringify([keyword || null, status, locked, role_id, has_second_factor, attribute, sort])}`;
}
