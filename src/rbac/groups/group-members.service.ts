import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { CursorAnswer, PageAnswer, PageOrCursorQueryDto } from '../../platform/lists';
import { PublicUser } from '../../users';
import { MemberDifference } from '../grants/membership.repository';
import { MembershipsService } from '../grants/memberships.service';
import { OrganizationMemberRepository } from '../grants/organization-member.repository';
import { PermissionsService } from '../grants/permissions.service';
import { GroupAccessService } from './group-access.service';
import { GroupCoverService } from '../escalation/group-cover.service';
import { OrganizationHoldersService } from '../escalation/organization-holders.service';
import { additionEntries, removalEntries } from '../grants/group-member-entries';
import { GroupMemberRepository } from '../grants/group-member.repository';
import { Group } from '../grants/group.entities';
import { groupTarget } from '../grants/group.views';
import { groupPermissions } from './groups.permissions';

/** The members of a group, without those of the groups below it. */
@Injectable()
export class GroupMembersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly access: GroupAccessService,
    private readonly members: GroupMemberRepository,
    private readonly organizationMembers: OrganizationMemberRepository,
    private readonly memberships: MembershipsService,
    private readonly cover: GroupCoverService,
    private readonly holders: OrganizationHoldersService,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Sorted by username. Of a group of an organization only for readers of its members. Throws `validation_failed`,
   * `not_found` or `permission_denied`.
   */
  list<T>(
    caller: Caller,
    groupId: string,
    query: PageOrCursorQueryDto,
    item: (user: PublicUser) => T,
  ): Promise<PageAnswer<T> | CursorAnswer<T>> {
    const require = (): Promise<Group> => this.access.findToListMembers(caller, groupId);
    const owner = { id: groupId, list: 'group_users', require };
    return this.memberships.list(this.members, owner, query, item);
  }

  /**
   * Replaces the group's members, all or none. Throws `validation_failed` with the unknown ids, `not_found`,
   * `escalation_denied` or `last_admin`.
   */
  replace(caller: Caller, groupId: string, userIds: readonly string[]): Promise<{ added: number; removed: number }> {
    return this.change(caller, groupId, userIds, () => this.members.difference(groupId, [...new Set(userIds)]));
  }

  /** Ignores users who are members. Throws the same errors as `replace`. */
  async add(caller: Caller, groupId: string, userIds: readonly string[]): Promise<{ added: number }> {
    const { added } = await this.change(caller, groupId, userIds, async () => ({
      added: await this.members.newAmong(groupId, [...new Set(userIds)]),
      removed: [],
    }));
    return { added };
  }

  /** Ignores users who are no members, also unknown ones. Throws the other errors of `replace`. */
  async removeAll(caller: Caller, groupId: string, userIds: readonly string[]): Promise<{ removed: number }> {
    const { removed } = await this.change(caller, groupId, [], async () => ({
      added: [],
      removed: await this.members.presentAmong(groupId, userIds),
    }));
    return { removed };
  }

  /** Throws `not_found`, also when the user is no member, or `escalation_denied`. */
  async remove(caller: Caller, groupId: string, userId: string): Promise<void> {
    await this.change(caller, groupId, [], async () => {
      if (!(await this.members.isMember(groupId, userId))) throw platformErrors.notFound();
      return { added: [], removed: [userId] };
    });
  }

  /** The caller must hold what the group gives, and what the cover of every added and removed user requires. */
  private change(
    caller: Caller,
    groupId: string,
    joining: readonly string[],
    plan: () => Promise<MemberDifference>,
  ): Promise<{ added: number; removed: number }> {
    return this.transactions.run(async () => {
      await this.cover.lock();
      const group = await this.access.find(caller, groupPermissions.update, groupId);
      await this.requireEligible(group, joining);
      const change = await plan();
      const affected = [...change.added, ...change.removed];
      if (change.added.length > 0) {
        await this.cover.requireGivable(caller, group, groupTarget(group));
        await this.cover.requireTrusted(caller, group, groupTarget(group));
      } else await this.cover.requireCover(caller, group, groupTarget(group));
      await this.cover.requireCoverOfUsers(caller, group, affected);
      if (affected.length > 0) {
        await this.holders.keepFor(caller, group.organizationId, () => this.members.replace(groupId, change));
        await this.record(group, change);
        await this.permissions.invalidate(affected);
      }
      return { added: change.added.length, removed: change.removed.length };
    });
  }

  /** Only members of its organization may be in a group. Others look as unknown as users who do not exist. */
  private requireEligible({ organizationId }: Group, userIds: readonly string[]): Promise<void> {
    return organizationId === null
      ? this.memberships.requireKnown(this.members, userIds)
      : this.memberships.requireMembers(this.organizationMembers, organizationId, userIds);
  }

  private async record(group: Group, { added, removed }: MemberDifference): Promise<void> {
    await this.audit.recordAll([...additionEntries(group, added), ...removalEntries(group, removed)]);
  }
}
