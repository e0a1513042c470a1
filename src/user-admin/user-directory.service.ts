import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import { CursorAnswer, CursorsService, listByPage, PageAnswer, pageOf, windowOf } from '../platform/lists';
import { LockoutService } from '../login';
import { ContactNormalizerService, UserView, userView, UserRepository } from '../users';
import { ListUsersDto } from './dto/user-input.dto';
import { ListedUser, positionOf, UserFilter, UserListRepository } from './user-list.repository';

/** A user with the end of the last lock, if failed logins have locked the account. */
export interface AdminUser<User extends UserView = UserView> {
  readonly user: User;
  readonly lockedUntil: Date | undefined;
}

/** Finds and lists users for administrators. */
@Injectable()
export class UserDirectoryService {
  constructor(
    private readonly users: UserRepository,
    private readonly lists: UserListRepository,
    private readonly contacts: ContactNormalizerService,
    private readonly cursors: CursorsService,
    private readonly lockout: LockoutService,
  ) {}

  /** Newest first. Throws `validation_failed` for a cursor of another list or a cursor combined with a page. */
  async list<T>(query: ListUsersDto, item: (user: AdminUser) => T): Promise<PageAnswer<T> | CursorAnswer<T>> {
    const window = windowOf(query);
    const filter = await this.filterOf(query);
    if (window.by === 'page') {
      const page = pageOf(window.query);
      const users = await this.seeAll(await this.lists.page(filter, page));
      return listByPage(page, users.map(item), await this.lists.count(filter));
    }
    const list = nameOf(query);
    const cursorPage = this.cursors.read(list, window.query);
    const users = await this.seeAll(await this.lists.cursorPage(filter, cursorPage));
    return this.cursors.answer(list, cursorPage, users, { item, position: ({ user }) => positionOf(user) });
  }

  /** Throws `not_found`. */
  async find(id: string): Promise<AdminUser> {
    const user = await this.users.findById(id);
    if (!user) throw platformErrors.notFound();
    return this.see(userView(user));
  }

  async see<User extends UserView>(user: User): Promise<AdminUser<User>> {
    return seen(user, await this.lockout.lockedFor(user.id));
  }

  private async seeAll(users: readonly ListedUser[]): Promise<AdminUser<ListedUser>[]> {
    const seconds = await this.lockout.lockedForEach(users.map(({ id }) => id));
    return users.map((user, place) => seen(user, seconds[place] ?? 0));
  }

  private async filterOf({ keyword: text, status, role_id: roleId }: ListUsersDto): Promise<UserFilter> {
    const keyword = text ? { text, phone: await this.contacts.readPhone(text) } : undefined;
    return { keyword, status, roleId };
  }
}

const seen = <User extends UserView>(user: User, lockedSeconds: number): AdminUser<User> => ({
  user,
  lockedUntil: lockedSeconds > 0 ? new Date(Date.now() + lockedSeconds * 1_000) : undefined,
});

/** Identifies the list and its filters in a cursor. */
function nameOf({ keyword, status, role_id }: ListUsersDto): string {
  return `users ${JSON.stringify([keyword || null, status ?? null, role_id ?? null])}`;
}
