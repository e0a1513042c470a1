import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { CursorAnswer, PageAnswer, PageOrCursorQueryDto } from '../../platform/lists';
import { PublicUser } from '../../users';
import { AddRoleUsersDto } from '../grants/dto/role-members.dto';
import { PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import { OrganizationHoldersService } from '../escalation/organization-holders.service';
import { MemberDifference } from '../grants/membership.repository';
import { MembershipsService } from '../grants/memberships.service';
import { namedParts } from '../grants/named-members';
import { OrganizationRoleBatchesService } from '../organizations/organization-role-batches.service';
import { PermissionsService } from '../grants/permissions.service';
import { rbacErrors } from '../grants/rbac.errors';
import { rolePermissions } from '../grants/rbac.permissions';
import { RoleAccessService } from '../escalation/role-access.service';
import { RoleHoldersService } from './role-holders.service';
import { Role } from '../grants/role.entity';
import { targetOf } from '../grants/role.views';
import { roleActs } from '../grants/role.acts';

export interface MembershipChange {
  readonly added: number;
  readonly removed: number;
  readonly total: number;
}

/** The users of a role. System roles can only be assigned per user. */
@Injectable()
export class RoleMembersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly access: RoleAccessService,
    private readonly holders: RoleHoldersService,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly permissions: PermissionsService,
    private readonly memberships: MembershipsService,
    private readonly batches: OrganizationRoleBatchesService,
    private readonly organizationHolders: OrganizationHoldersService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Sorted by username. Of a role of an organization only for readers of its members. Throws `validation_failed`,
   * `not_found`, `permission_denied` or `system_role_protected`.
   */
  async list<T>(
    caller: Caller,
    roleId: string,
    query: PageOrCursorQueryDto,
    item: (user: PublicUser) => T,
  ): Promise<PageAnswer<T> | CursorAnswer<T>> {
    const role = notOfSystem(await this.access.findToListUsers(caller, roleId));
    const owner = { id: roleId, list: 'role_users', require: () => Promise.resolve() };
    return this.memberships.list(this.holders.getMemberships(role), owner, query, item);
  }

  /**
   * Replaces the role's users, all or none. Throws `validation_failed` with the unknown ids, `not_found`,
   * `system_role_protected`, `last_admin`, or the errors of `RoleHoldersService.requireCover`.
   */
  replace(caller: Caller, roleId: string, userIds: readonly string[]): Promise<MembershipChange> {
    const wanted = [...new Set(userIds)];
    return this.transactions.run(async () => {
      await this.escalationGuard.lock();
      const role = await this.find(caller, rolePermissions.update, roleId);
      await this.holders.requireEligible(role, userIds);
      const change = await this.holders.getMemberships(role).difference(roleId, wanted);
      await this.apply(caller, role, change, wanted.length);
      return { added: change.added.length, removed: change.removed.length, total: wanted.length };
    });
  }

  /**
   * Throws the same errors as `replace`, and those of `OrganizationRoleBatchesService`.
   * @param organizationId the users get the role there only
   */
  add(
    caller: Caller,
    roleId: string,
    { user_ids: userIds, organization_id: organizationId }: AddRoleUsersDto,
  ): Promise<{ added: number }> {
    return this.transactions.run(async () => {
      await this.escalationGuard.lock();
      const role = await this.find(caller, rolePermissions.update, roleId);
      if (organizationId !== undefined && organizationId !== role.organizationId) {
        return { added: await this.batches.give(caller, role, organizationId, userIds) };
      }
      await this.holders.requireEligible(role, userIds);
      const added = await this.holders.getMemberships(role).newAmong(roleId, [...new Set(userIds)]);
      await this.apply(caller, role, { added, removed: [] }, (await this.total(role)) + added.length);
      return { added: added.length };
    });
  }

  /** Ignores users who are not in the role, also unknown ones. Throws the other errors of `replace`. */
  removeAll(caller: Caller, roleId: string, userIds: readonly string[]): Promise<{ removed: number }> {
    return this.transactions.run(async () => {
      await this.escalationGuard.lock();
      const role = await this.find(caller, rolePermissions.update, roleId);
      const removed = await this.holders.getMemberships(role).presentAmong(roleId, userIds);
      await this.apply(caller, role, { added: [], removed }, (await this.total(role)) - removed.length);
      return { removed: removed.length };
    });
  }

  /** Throws the errors of `replace`, and `not_found` when the user does not have the role. */
  async remove(caller: Caller, roleId: string, userId: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.escalationGuard.lock();
      const role = await this.find(caller, rolePermissions.update, roleId);
      if (!(await this.holders.getMemberships(role).isMember(roleId, userId))) throw platformErrors.notFound();
      await this.apply(caller, role, { added: [], removed: [userId] }, (await this.total(role)) - 1);
    });
  }

  private async apply(caller: Caller, role: Role, change: MemberDifference, total: number): Promise<void> {
    await this.holders.requireCover(caller, role, change);
    const affected = [...change.added, ...change.removed];
    if (affected.length === 0) return;
    await this.organizationHolders.keepFor(caller, role.organizationId, () =>
      this.holders.getMemberships(role).replace(role.id, change),
    );
    await this.record(role, change, total);
    await this.permissions.invalidate(affected);
  }

  private async total(role: Role): Promise<number> {
    return (await this.holders.counts([role])).get(role.id) ?? 0;
  }

  /** Several entries for a large change, so that each user is named and no entry is large. */
  private async record(role: Role, { added, removed }: MemberDifference, total: number): Promise<void> {
    const [addedParts, removedParts] = [namedParts(added), namedParts(removed)];
    await this.audit.recordAll(
      Array.from({ length: Math.max(addedParts.length, removedParts.length) }, (_, part) =>
        roleActs.replaceUsers({
          target: targetOf(role),
          before: { user_count: total - added.length + removed.length },
          after: {
            ...(role.organizationId !== null && { organization_id: role.organizationId }),
            user_count: total,
            added: added.length,
            removed: removed.length,
            added_ids: addedParts[part] ?? [],
            removed_ids: removedParts[part] ?? [],
          },
        }),
      ),
    );
  }

  private async find(caller: Caller, permission: string, id: string): Promise<Role> {
    return notOfSystem(await this.access.find(caller, permission, id));
  }
}

function notOfSystem(role: Role): Role {
  if (role.isSystem) throw rbacErrors.systemRoleProtected();
  return role;
}
