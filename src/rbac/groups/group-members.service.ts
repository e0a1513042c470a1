import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { CursorAnswer, PageAnswer, PageOrCursorQueryDto } from '../../platform/lists';
import { PublicUser } from '../../users';
import { MemberDifference } from '../membership.repository';
import { MembershipsService } from '../memberships.service';
import { PermissionsService } from '../permissions.service';
import { UserCoverService } from '../user-cover.service';
import { GroupCoverService } from './group-cover.service';
import { additionEntries, removalEntries } from './group-member-entries';
import { GroupMemberRepository } from './group-member.repository';
import { Group } from './group.entities';
import { GroupRepository } from './group.repository';
import { groupTarget } from './group.views';

/** The members of a group, without those of the groups below it. */
@Injectable()
export class GroupMembersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly groups: GroupRepository,
    private readonly members: GroupMemberRepository,
    private readonly memberships: MembershipsService,
    private readonly groupCover: GroupCoverService,
    private readonly userCover: UserCoverService,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
  ) {}

  /** Sorted by username. Throws `validation_failed` or `not_found`. */
  list<T>(
    groupId: string,
    query: PageOrCursorQueryDto,
    item: (user: PublicUser) => T,
  ): Promise<PageAnswer<T> | CursorAnswer<T>> {
    const owner = { id: groupId, list: 'group_users', require: () => this.find(groupId) };
    return this.memberships.list(this.members, owner, query, item);
  }

  /**
   * Replaces the group's members, all or none. Throws `validation_failed` with the unknown ids, `not_found` or
   * `escalation_denied`.
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

  /** Throws `not_found`, also when the user is no member, or `escalation_denied`. */
  async remove(caller: Caller, groupId: string, userId: string): Promise<void> {
    await this.change(caller, groupId, [], async () => {
      if (!(await this.members.isMember(groupId, userId))) throw platformErrors.notFound();
      return { added: [], removed: [userId] };
    });
  }

  /** The caller must hold what the group gives, and what every added or removed user and their OAuth clients hold. */
  private change(
    caller: Caller,
    groupId: string,
    named: readonly string[],
    plan: () => Promise<MemberDifference>,
  ): Promise<{ added: number; removed: number }> {
    return this.transactions.run(async () => {
      await this.groupCover.lock();
      await this.memberships.requireKnown(this.members, named);
      const group = await this.find(groupId);
      const change = await plan();
      const affected = [...change.added, ...change.removed];
      await this.groupCover.requireCover(caller, { path: group.path }, groupTarget(group));
      await this.userCover.requireCoverOfUsers(caller, affected, groupTarget(group));
      if (affected.length > 0) {
        await this.members.replace(groupId, change);
        await this.record(group, change);
        await this.permissions.invalidate(affected);
      }
      return { added: change.added.length, removed: change.removed.length };
    });
  }

  private async record(group: Group, { added, removed }: MemberDifference): Promise<void> {
    const target = groupTarget(group);
    await this.audit.recordAll([...additionEntries(target, added), ...removalEntries(target, removed)]);
  }

  private async find(id: string): Promise<Group> {
    const group = await this.groups.findById(id);
    if (!group) throw platformErrors.notFound();
    return group;
  }
}
