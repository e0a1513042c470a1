import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { User, UserRepository, userTarget } from '../../users';
import { RoleAssignmentsService } from './role-assignments.service';
import { RoleViewsService } from './role-views.service';
import { RoleGivingService } from '../escalation/role-giving.service';
import { RoleRepository } from '../grants/role.repository';
import { AssignedRole } from '../grants/role.views';
import { RolesService } from './roles.service';
import { unknownRoles } from '../grants/unknown-roles';
import { UserCoverService } from '../escalation/user-cover.service';

/** Administration of one user's roles, including system roles. */
@Injectable()
export class UserRolesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UserRepository,
    private readonly roles: RoleRepository,
    private readonly views: RoleViewsService,
    private readonly cover: UserCoverService,
    private readonly giving: RoleGivingService,
    private readonly administrators: RolesService,
    private readonly assignments: RoleAssignmentsService,
  ) {}

  /** Sorted by scope, then name. Throws `not_found`. */
  async list(userId: string): Promise<AssignedRole[]> {
    await this.find(userId);
    return this.views.held(await this.roles.ofUser(userId));
  }

  /**
   * Adds the user to the roles, in the caller's transaction if one is open. Ignores roles that the user already has.
   * Throws `validation_failed` with the unknown ids of `role_ids`, `not_found` or `escalation_denied`.
   */
  give(caller: Caller, userId: string, roleIds: readonly string[]): Promise<AssignedRole[]> {
    return this.transactions.run(async () => {
      await this.giving.lock();
      await this.requireKnown(roleIds);
      const user = await this.find(userId);
      await this.cover.requireCoverOfUser(caller, userId);
      await this.giving.require(caller, { roleIds, organizationId: null }, userTarget(user));
      return this.views.held(await this.assignments.add(user, roleIds));
    });
  }

  /**
   * Call in the transaction that creates the user who gets the roles.
   * Throws `validation_failed` with the unknown ids of `role_ids`, or `escalation_denied`.
   */
  async requireGivable(caller: Caller, roleIds: readonly string[]): Promise<void> {
    await this.giving.lock();
    await this.requireKnown(roleIds);
    await this.giving.require(caller, { roleIds, organizationId: null });
  }

  /** Throws `not_found`, `escalation_denied` or `last_admin`. */
  async take(caller: Caller, userId: string, roleId: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.giving.lock();
      const user = await this.find(userId);
      const held = await this.roles.ofUser(userId);
      if (!held.some(({ id }) => id === roleId)) throw platformErrors.notFound();
      await this.cover.requireCoverOfUser(caller, userId);
      if (await this.administrators.isAdminRole(roleId)) await this.administrators.assertNotLastAdmin(userId);
      await this.assignments.remove(user, held, roleId);
    });
  }

  private async find(userId: string): Promise<User> {
    const user = await this.users.findById(userId);
    if (!user) throw platformErrors.notFound();
    return user;
  }

  private async requireKnown(roleIds: readonly string[]): Promise<void> {
    const fields = unknownRoles(roleIds, await this.roles.findWithin(null, roleIds));
    if (fields.length > 0) throw platformErrors.validationFailed({ fields });
  }
}
