import { Injectable } from '@nestjs/common';
import { RecentLoginService } from '../platform/access';
import { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { GrantRepository } from './grant.repository';
import { PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { rbacErrors } from './rbac.errors';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';
import { AssignedRole } from './role.views';

/** Finds a role to change, with the checks that permit changing it. */
@Injectable()
export class ChangeableRolesService {
  constructor(
    private readonly roles: RoleRepository,
    private readonly grants: GrantRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly recentLogins: RecentLoginService,
  ) {}

  /**
   * The role and its grants, which stay as they are until the transaction ends. Call it in the transaction of the
   * change, before its first write. Throws `not_found`, or `system_role_protected` unless `evenOfSystem`.
   */
  async find(id: string, evenOfSystem = false): Promise<AssignedRole> {
    await this.escalationGuard.lock();
    const role = await this.roles.findById(id);
    if (!role) throw platformErrors.notFound();
    if (role.isSystem && !evenOfSystem) throw rbacErrors.systemRoleProtected();
    return { role, grants: await this.grants.ofRoles([id]) };
  }

  /**
   * Requires a recent login, so that a stolen cookie is not enough to remove the second-factor requirement. Roles
   * without the requirement pass. Throws `reauthentication_required`.
   */
  async requireRecentToEase(caller: Caller, { mfaRequired }: Pick<Role, 'mfaRequired'>): Promise<void> {
    if (mfaRequired) await this.recentLogins.require(caller);
  }
}
