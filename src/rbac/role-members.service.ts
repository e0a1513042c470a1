import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { CursorAnswer, PageAnswer, PageOrCursorQueryDto } from '../platform/lists';
import { PublicUser } from '../users';
import { PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { MemberRepository } from './member.repository';
import { MemberDifference } from './membership.repository';
import { MembershipsService } from './memberships.service';
import { namedParts } from './named-members';
import { PermissionsService } from './permissions.service';
import { rbacErrors } from './rbac.errors';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';
import { targetOf } from './role.views';
import { UserCoverService } from './user-cover.service';

export interface MembershipChange {
  readonly added: number;
  readonly removed: number;
  readonly total: number;
}

/** The members of a role. System roles can only be assigned per user. */
@Injectable()
export class RoleMembersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly cover: UserCoverService,
    private readonly permissions: PermissionsService,
    private readonly memberships: MembershipsService,
    private readonly audit: AuditService,
  ) {}

  /** Sorted by username. Throws `validation_failed`, `not_found` or `system_role_protected`. */
  list<T>(
    roleId: string,
    query: PageOrCursorQueryDto,
    item: (user: PublicUser) => T,
  ): Promise<PageAnswer<T> | CursorAnswer<T>> {
    const owner = { id: roleId, list: 'role_users', require: () => this.find(roleId) };
    return this.memberships.list(this.members, owner, query, item);
  }

  /**
   * Replaces the role's members, all or none.
   * Throws `validation_failed` with the unknown ids, `not_found`, `system_role_protected` or `escalation_denied`.
   */
  replace(caller: Caller, roleId: string, userIds: readonly string[]): Promise<MembershipChange> {
    const wanted = [...new Set(userIds)];
    return this.transactions.run(async () => {
      await this.escalationGuard.lock();
      await this.memberships.requireKnown(this.members, userIds);
      const role = await this.find(roleId);
      const change = await this.members.difference(roleId, wanted);
      await this.apply(caller, role, change, wanted.length);
      return { added: change.added.length, removed: change.removed.length, total: wanted.length };
    });
  }

  /** Throws the same errors as `replace`. */
  add(caller: Caller, roleId: string, userIds: readonly string[]): Promise<{ added: number }> {
    return this.transactions.run(async () => {
      await this.escalationGuard.lock();
      await this.memberships.requireKnown(this.members, userIds);
      const role = await this.find(roleId);
      const added = await this.members.newAmong(roleId, [...new Set(userIds)]);
      await this.apply(caller, role, { added, removed: [] }, (await this.total(roleId)) + added.length);
      return { added: added.length };
    });
  }

  /** Ignores users who are not in the role. Throws the same errors as `replace`. */
  removeAll(caller: Caller, roleId: string, userIds: readonly string[]): Promise<{ removed: number }> {
    return this.transactions.run(async () => {
      await this.escalationGuard.lock();
      await this.memberships.requireKnown(this.members, userIds);
      const role = await this.find(roleId);
      const removed = await this.members.presentAmong(roleId, userIds);
      await this.apply(caller, role, { added: [], removed }, (await this.total(roleId)) - removed.length);
      return { removed: removed.length };
    });
  }

  /** Throws `not_found` (also when the user is not in the role), `system_role_protected` or `escalation_denied`. */
  async remove(caller: Caller, roleId: string, userId: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.escalationGuard.lock();
      const role = await this.find(roleId);
      if (!(await this.members.isMember(roleId, userId))) throw platformErrors.notFound();
      await this.apply(caller, role, { added: [], removed: [userId] }, (await this.total(roleId)) - 1);
    });
  }

  /** The caller must hold the role's grants, and those of every added or removed user and of their OAuth clients. */
  private async apply(caller: Caller, role: Role, change: MemberDifference, total: number): Promise<void> {
    const affected = [...change.added, ...change.removed];
    await this.cover.requireCoverOfRoles(caller, [role.id], targetOf(role));
    await this.cover.requireCoverOfUsers(caller, affected, targetOf(role));
    if (affected.length === 0) return;
    await this.members.replace(role.id, change);
    await this.record(role, change, total);
    await this.permissions.invalidate(affected);
  }

  private async total(roleId: string): Promise<number> {
    return (await this.members.counts([roleId])).get(roleId) ?? 0;
  }

  /** Several entries for a large change, so that each user is named and no entry is large. */
  private async record(role: Role, { added, removed }: MemberDifference, total: number): Promise<void> {
    const [addedParts, removedParts] = [namedParts(added), namedParts(removed)];
    await this.audit.recordAll(
      Array.from({ length: Math.max(addedParts.length, removedParts.length) }, (_, part) => ({
        action: 'role.replace_users',
        target: targetOf(role),
        before: { user_count: total - added.length + removed.length },
        after: {
          user_count: total,
          added: added.length,
          removed: removed.length,
          added_ids: addedParts[part] ?? [],
          removed_ids: removedParts[part] ?? [],
        },
      })),
    );
  }

  private async find(id: string): Promise<Role> {
    const role = await this.roles.findById(id);
    if (!role) throw platformErrors.notFound();
    if (role.isSystem) throw rbacErrors.systemRoleProtected();
    return role;
  }
}
