import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import {
  CursorAnswer,
  listByPage,
  PageAnswer,
  pageOf,
  PageOrCursorQueryDto,
  pageSizeOf,
  windowOf,
} from '../platform/lists';
import { PublicUser, ShownUsersService } from '../users';
import { MembershipsService, OrganizationMemberListRepository, OrganizationMemberView } from '../rbac';

export type MemberList = PageAnswer<OrganizationMemberView> | CursorAnswer<OrganizationMemberView>;

/** Shows the members of organizations, with those who have not accepted yet. */
@Injectable()
export class OrganizationMemberViewsService {
  constructor(
    private readonly members: OrganizationMemberListRepository,
    private readonly lists: MembershipsService,
    private readonly users: ShownUsersService,
  ) {}

  /** Throws `not_found`. */
  async show(organizationId: string, userId: string): Promise<OrganizationMemberView> {
    const detail = (await this.members.detailsOf(organizationId, [userId])).get(userId);
    // Last, so that an account of others takes as long as one that does not exist.
    const user = detail && (await this.users.find(userId));
    if (!user) throw platformErrors.notFound();
    return { user, ...detail };
  }

  /**
   * Sorted by username. Throws `validation_failed`, and the errors of `require`.
   * @param require throws unless the members may be listed
   */
  async list(
    organizationId: string,
    query: PageOrCursorQueryDto,
    require: () => Promise<unknown>,
  ): Promise<MemberList> {
    const owner = { id: organizationId, list: 'organization_members', require };
    const { items, ...page } = await this.lists.list(this.members, owner, query, (user) => user);
    return { items: await this.build(organizationId, items), ...page };
  }

  /** A list of the one member. Throws `not_found`. */
  async alone(organizationId: string, userId: string, query: PageOrCursorQueryDto): Promise<MemberList> {
    const window = windowOf(query);
    const items = [await this.show(organizationId, userId)];
    if (window.by === 'cursor') return { items, next_cursor: null, page_size: pageSizeOf(query) };
    const page = pageOf(window.query);
    return listByPage(page, page.offset === 0 ? items : [], { total: 1, isEstimate: false });
  }

  /** Throws `validation_failed` on `user_id`. */
  async requireUser(userId: string): Promise<void> {
    if ((await this.members.unknownUsers([userId])).size === 0) return;
    throw platformErrors.validationFailed({
      fields: [{ field: 'user_id', code: 'unknown_user', params: { id: userId } }],
    });
  }

  /** Only of those who are members. */
  private async build(organizationId: string, users: readonly PublicUser[]): Promise<OrganizationMemberView[]> {
    const details = await this.members.detailsOf(
      organizationId,
      users.map(({ id }) => id),
    );
    return users.flatMap((user) => {
      const detail = details.get(user.id);
      return detail ? [{ user, ...detail }] : [];
    });
  }
}
