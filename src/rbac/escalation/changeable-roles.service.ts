import { Injectable } from '@nestjs/common';
import { RecentLoginService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { GrantRepository } from '../grants/grant.repository';
import { PlaceAccessService } from './place-access.service';
import { Grant } from '../permission';
import { targetOfPlace } from '../grants/organization.views';
import { actorWithin, PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { rbacErrors } from '../grants/rbac.errors';
import { rolePermissions } from '../grants/rbac.permissions';
import { RoleAccessService } from './role-access.service';
import { Role } from '../grants/role.entity';
import { AssignedRole, targetOf } from '../grants/role.views';

/** The checks that permit creating and changing roles. Call every method in the transaction of the change, before its first write. */
@Injectable()
export class ChangeableRolesService {
  constructor(
    private readonly access: RoleAccessService,
    private readonly places: PlaceAccessService,
    private readonly grants: GrantRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly recentLogins: RecentLoginService,
  ) {}

  /**
   * For a new role of the organization, or with null of the service. Throws the errors of
   * `PlaceAccessService.requireAll`, or `escalation_denied`.
   */
  async requireNew(caller: Caller, organizationId: string | null, grants: readonly Grant[]): Promise<void> {
    await this.escalationGuard.lock();
    await this.places.requireAll(caller, rolePermissions.create, organizationId);
    await this.escalationGuard.requireCover(actorWithin(caller, organizationId), grants, targetOfPlace(organizationId));
  }

  /**
   * The role and its grants, which stay as they are until the transaction ends. Throws `not_found`, or
   * `system_role_protected` unless `evenOfSystem`.
   */
  async find(caller: Caller, permission: string, id: string, evenOfSystem = false): Promise<AssignedRole> {
    await this.escalationGuard.lock();
    const role = await this.access.find(caller, permission, id);
    if (role.isSystem && !evenOfSystem) throw rbacErrors.systemRoleProtected();
    return { role, grants: await this.grants.ofRoles([id]) };
  }

  /** The caller must hold the grants; for a role of an organization, there is enough. Throws `escalation_denied`. */
  async requireCover(caller: Caller, role: Role, grants: readonly Grant[]): Promise<void> {
    await this.escalationGuard.requireCover(actorWithin(caller, role.organizationId), grants, targetOf(role));
  }

  /**
   * Requires a recent login, so that a stolen cookie is not enough to remove the second-factor requirement. Roles
   * without the requirement pass. Throws `reauthentication_required`.
   */
  async requireRecentToEase(caller: Caller, { mfaRequired }: Pick<Role, 'mfaRequired'>): Promise<void> {
    if (mfaRequired) await this.recentLogins.require(caller);
  }
}
