import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import {
  CursorAnswer,
  listByPage,
  PageAnswer,
  pageOf,
  PageOrCursorQueryDto,
  pageSizeOf,
  windowOf,
} from '../../platform/lists';
import { PublicUser, UserRepository } from '../../users';
import { MembershipsService } from '../memberships.service';
import { PermissionsService } from '../permissions.service';
import { AddOrganizationMemberDto } from './dto/organization-members.dto';
import { OrganizationCoverService } from './organization-cover.service';
import { OrganizationMemberRepository } from './organization-member.repository';
import { OrganizationMembershipsService } from './organization-memberships.service';
import { OrganizationViewsService } from './organization-views.service';
import { OrganizationMemberDetailView, OrganizationMemberView } from './organization.views';
import { organizationMemberPermissions } from './organizations.permissions';

type MemberList = PageAnswer<OrganizationMemberView> | CursorAnswer<OrganizationMemberView>;

/** Administration of the members of an organisation, by those who hold the permission everywhere or there. */
@Injectable()
export class OrganizationMembersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly views: OrganizationViewsService,
    private readonly members: OrganizationMemberRepository,
    private readonly memberships: OrganizationMembershipsService,
    private readonly lists: MembershipsService,
    private readonly cover: OrganizationCoverService,
    private readonly permissions: PermissionsService,
    private readonly users: UserRepository,
  ) {}

  /**
   * Sorted by username. Members without the permission to read the members see only themselves. Throws
   * `validation_failed` or `not_found`.
   */
  async list({ userId }: Caller, organizationId: string, query: PageOrCursorQueryDto): Promise<MemberList> {
    const maySeeAll = await this.permissions.isGranted(userId, organizationMemberPermissions.read, organizationId);
    if (!maySeeAll) return this.alone(organizationId, userId, query);
    const owner = { id: organizationId, list: 'organization_members', require: () => this.views.find(organizationId) };
    const { items, ...page } = await this.lists.list(this.members, owner, query, (user) => user);
    return { items: await this.viewsOf(organizationId, items), ...page };
  }

  /** Throws `not_found`. */
  async show(organizationId: string, userId: string): Promise<OrganizationMemberView> {
    const detail = (await this.members.detailsOf(organizationId, [userId])).get(userId);
    // Last, so that an account of others takes as long as one that does not exist.
    const user = detail && (await this.users.findById(userId));
    if (!user) throw platformErrors.notFound();
    return { user, ...detail };
  }

  /** With what the member has set up there. Throws `not_found`. */
  async showInDetail(organizationId: string, userId: string): Promise<OrganizationMemberDetailView> {
    const member = await this.show(organizationId, userId);
    return { ...member, setUp: await this.memberships.setUpBy(organizationId, userId) };
  }

  /**
   * A member keeps present roles. Throws `validation_failed` for an unknown user or role, `not_found`,
   * `system_role_protected` or `escalation_denied`.
   */
  add(
    caller: Caller,
    organizationId: string,
    { user_id: userId, role_ids: roleIds = [] }: AddOrganizationMemberDto,
  ): Promise<OrganizationMemberView> {
    return this.transactions.run(async () => {
      await this.cover.lock();
      await this.views.find(organizationId);
      if ((await this.members.unknownUsers([userId])).size > 0) {
        throw platformErrors.validationFailed({
          fields: [{ field: 'user_id', code: 'unknown_user', params: { id: userId } }],
        });
      }
      await this.cover.requireGivable(caller, organizationId, roleIds);
      await this.cover.requireCoverOfMember(caller, { userId, organizationId });
      await this.memberships.add(organizationId, userId, roleIds);
      return this.show(organizationId, userId);
    });
  }

  /**
   * Replaces the member's roles there. Throws the errors of `add`, or `reauthentication_required` when the member loses a
   * role that requires a second factor.
   */
  change(
    caller: Caller,
    organizationId: string,
    userId: string,
    roleIds: readonly string[],
  ): Promise<OrganizationMemberView> {
    return this.transactions.run(async () => {
      await this.cover.lock();
      const { roleIds: before } = await this.show(organizationId, userId);
      await this.cover.requireGivable(caller, organizationId, roleIds, before);
      await this.cover.requireCoverOfMember(caller, { userId, organizationId });
      await this.cover.requireRecentToEase(
        caller,
        before.filter((id) => !roleIds.includes(id)),
      );
      await this.memberships.replaceRoles(organizationId, userId, roleIds);
      return this.show(organizationId, userId);
    });
  }

  /** Throws the errors of `change` that concern a member. */
  async remove(caller: Caller, organizationId: string, userId: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.cover.lock();
      const { roleIds } = await this.show(organizationId, userId);
      await this.cover.requireCoverOfMember(caller, { userId, organizationId });
      await this.cover.requireRecentToEase(caller, roleIds);
      await this.memberships.remove(organizationId, userId);
    });
  }

  private async alone(organizationId: string, userId: string, query: PageOrCursorQueryDto): Promise<MemberList> {
    const window = windowOf(query);
    const items = [await this.show(organizationId, userId)];
    if (window.by === 'cursor') return { items, next_cursor: null, page_size: pageSizeOf(query) };
    const page = pageOf(window.query);
    return listByPage(page, page.offset === 0 ? items : [], { total: 1, isEstimate: false });
  }

  /** Only of those who are members. */
  private async viewsOf(organizationId: string, users: readonly PublicUser[]): Promise<OrganizationMemberView[]> {
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
