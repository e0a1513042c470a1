import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { User, UserRepository, userTarget } from '../users';
import { PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { GrantRepository } from './grant.repository';
import { MemberRepository } from './member.repository';
import { PermissionsService } from './permissions.service';
import { RoleViewsService } from './role-views.service';
import { RoleRepository } from './role.repository';
import { HeldRole } from './role.views';
import { RolesService } from './roles.service';

/** The roles of one user; here system roles are given and taken, too. */
@Injectable()
export class UserRolesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UserRepository,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly grants: GrantRepository,
    private readonly views: RoleViewsService,
    private readonly authority: PrivilegeEscalationGuardService,
    private readonly administrators: RolesService,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
  ) {}

  /** By scope, then name. Errors: `not_found`. */
  async list(userId: string): Promise<HeldRole[]> {
    await this.find(userId);
    return this.views.held(await this.roles.ofUser(userId));
  }

  /**
   * Puts the user into the roles; joins the caller's transaction. One the user is in already is no error.
   * Errors: `validation_failed` naming unknown ids of `role_ids`, `not_found`, `escalation_denied`.
   */
  give(caller: Caller, userId: string, roleIds: readonly string[]): Promise<HeldRole[]> {
    return this.transactions.run(async () => {
      await this.authority.stand();
      await this.requireKnown(roleIds);
      const user = await this.find(userId);
      await this.authority.requireCoverOfUser(caller, userId);
      await this.authority.requireCover(caller, await this.grants.ofRoles(roleIds), userTarget(user));
      const before = await this.roles.ofUser(userId);
      const joined = await this.members.join(userId, roleIds);
      const after = await this.roles.ofUser(userId);
      if (joined.length > 0) await this.record('user.add_roles', user, before, after);
      return this.views.held(after);
    });
  }

  /**
   * In the transaction that makes somebody to be given the roles.
   * Errors: `validation_failed` naming unknown ids of `role_ids`, `escalation_denied`.
   */
  async requireGivable(caller: Caller, roleIds: readonly string[]): Promise<void> {
    await this.authority.stand();
    await this.requireKnown(roleIds);
    await this.authority.requireCover(caller, await this.grants.ofRoles(roleIds));
  }

  /** Errors: `not_found`, `escalation_denied`, `last_admin`. */
  async take(caller: Caller, userId: string, roleId: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.authority.stand();
      const user = await this.find(userId);
      const before = await this.roles.ofUser(userId);
      if (!before.some(({ id }) => id === roleId)) throw platformErrors.notFound();
      await this.authority.requireCoverOfUser(caller, userId);
      if (await this.administrators.isAdminRole(roleId)) await this.administrators.refuseIfLastAdmin(userId);
      await this.members.leave(userId, roleId);
      await this.record(
        'user.remove_role',
        user,
        before,
        before.filter(({ id }) => id !== roleId),
      );
    });
  }

  private async record(
    action: string,
    user: User,
    before: readonly NamedRole[],
    after: readonly NamedRole[],
  ): Promise<void> {
    await this.audit.record({
      action,
      target: userTarget(user),
      before: { roles: before.map(named) },
      after: { roles: after.map(named) },
    });
    await this.permissions.invalidate(user.id);
  }

  private async find(userId: string): Promise<User> {
    const user = await this.users.findById(userId);
    if (!user) throw platformErrors.notFound();
    return user;
  }

  private async requireKnown(roleIds: readonly string[]): Promise<void> {
    const known = new Set((await this.roles.findByIds(roleIds)).map(({ id }) => id));
    const fields = roleIds.flatMap((id, index) =>
      known.has(id) ? [] : [{ field: `role_ids[${index}]`, code: 'unknown_role', params: { id } }],
    );
    if (fields.length > 0) throw platformErrors.validationFailed({ fields });
  }
}

interface NamedRole {
  readonly id: string;
  readonly scope: string;
  readonly name: string;
}

function named({ id, scope, name }: NamedRole): NamedRole {
  return { id, scope, name };
}
