import { Injectable } from '@nestjs/common';
import { platformErrors } from '../../platform/errors';
import {
  CursorAnswer,
  CursorsService,
  listByPage,
  PageAnswer,
  pageOf,
  PageOrCursorQueryDto,
  windowOf,
} from '../../platform/lists';
import { PublicUser, ShownUsersService } from '../../users';
import { MembershipRepository } from './membership.repository';
import { MAX_NAMED_MEMBERS } from './named-members';

/** The role or group whose members are listed. */
export interface MemberOwner {
  readonly id: string;
  /** Names the list in its cursors. */
  readonly list: string;
  /** Throws unless the members may be listed. */
  readonly require: () => Promise<unknown>;
}

/** What the members of roles and of groups have in common. */
@Injectable()
export class MembershipsService {
  constructor(
    private readonly cursors: CursorsService,
    private readonly shown: ShownUsersService,
  ) {}

  /** Sorted by username. Throws `validation_failed`, and the errors of `owner.require`. */
  async list<T>(
    members: MembershipRepository,
    owner: MemberOwner,
    query: PageOrCursorQueryDto,
    item: (user: PublicUser) => T,
  ): Promise<PageAnswer<T> | CursorAnswer<T>> {
    const window = windowOf(query);
    const list = `${owner.list}|${owner.id}`;
    const cursorPage = window.by === 'cursor' ? this.cursors.read(list, window.query) : undefined;
    await owner.require();
    if (cursorPage) {
      const rows = await this.shown.all(await members.cursorPage(owner.id, cursorPage));
      return this.cursors.answer(list, cursorPage, rows, {
        item,
        position: ({ username }) => [username.toLowerCase()],
      });
    }
    const page = pageOf(window.query);
    const users = await this.shown.all(await members.page(owner.id, page));
    return listByPage(page, users.map(item), await members.count(owner.id));
  }

  /** Throws `validation_failed` with the unknown ids of `user_ids`. */
  async requireKnown(members: MembershipRepository, userIds: readonly string[]): Promise<void> {
    rejectUnknown(userIds, await members.unknownUsers(userIds));
  }

  /** Same as `requireKnown`, for users who are no members of the owner. */
  async requireMembers(members: MembershipRepository, ownerId: string, userIds: readonly string[]): Promise<void> {
    rejectUnknown(userIds, new Set(await members.newAmong(ownerId, userIds)));
  }
}

function rejectUnknown(userIds: readonly string[], unknown: ReadonlySet<string>): void {
  if (unknown.size === 0) return;
  const fields = userIds.flatMap((id, index) =>
    unknown.has(id) ? [{ field: `user_ids[${index}]`, code: 'unknown_user', params: { id } }] : [],
  );
  throw platformErrors.validationFailed({ fields: fields.slice(0, MAX_NAMED_MEMBERS) });
}
