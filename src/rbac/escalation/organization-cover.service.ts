import { Injectable } from '@nestjs/common';
import { AuditTarget } from '../../audit';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { ChangeableRolesService } from './changeable-roles.service';
import { actorWithin, PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { rbacErrors } from '../grants/rbac.errors';
import { RoleGivingService } from './role-giving.service';
import { RoleRepository } from '../grants/role.repository';
import { unknownRoles } from '../grants/unknown-roles';
import { targetOfPlace } from '../grants/organization.views';
import { OrganizationGrantRepository, OrganizationUser } from '../grants/organization-grant.repository';

/**
 * The conditions for an actor who changes what members of an organization hold there. What the actor holds everywhere
 * counts, and what they hold there. Call every method in the transaction of the change, before its first write.
 */
@Injectable()
export class OrganizationCoverService {
  constructor(
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly organizationGrants: OrganizationGrantRepository,
    private readonly roles: RoleRepository,
    private readonly changeableRoles: ChangeableRolesService,
    private readonly giving: RoleGivingService,
  ) {}

  /** Serializes changes of grants until the transaction ends. */
  lock(): Promise<void> {
    return this.escalationGuard.lock();
  }

  /**
   * The actor must be allowed to give the roles there, of the service or of the organization. System roles are for the whole
   * service. Throws `validation_failed` with the unknown ids of
   * `role_ids`, `system_role_protected` or `escalation_denied`.
   * @param present the roles that are kept if they are among the others
   */
  async requireGivable(
    actor: Pick<Caller, 'userId'>,
    organizationId: string,
    roleIds: readonly string[],
    present: readonly string[] = [],
  ): Promise<void> {
    await this.lock();
    if (roleIds.length === 0) return;
    const roles = await this.roles.findWithin(organizationId, roleIds);
    const fields = unknownRoles(roleIds, roles);
    if (fields.length > 0) throw platformErrors.validationFailed({ fields });
    if (roles.some(({ isSystem }) => isSystem)) throw rbacErrors.systemRoleProtected();
    const kept = present.filter((id) => roleIds.includes(id));
    await this.giving.require(actor, { roleIds, organizationId, present: kept }, targetOfPlace(organizationId));
  }

  /** The actor must hold what the user holds in the organization only. Throws `escalation_denied`. */
  async requireCoverOfMember(actor: Pick<Caller, 'userId'>, member: OrganizationUser): Promise<void> {
    await this.lock();
    const { organizationId } = member;
    const { grants } = await this.organizationGrants.ofMember(member);
    await this.escalationGuard.requireCover(actorWithin(actor, organizationId), grants, {
      type: 'user',
      id: member.userId,
      organizationId,
    });
  }

  /** The actor must hold what the users hold in the organization only. Throws `escalation_denied`. */
  async requireCoverOfMembers(
    actor: Pick<Caller, 'userId'>,
    organizationId: string,
    userIds: readonly string[],
    target: AuditTarget,
  ): Promise<void> {
    await this.lock();
    const held = await this.organizationGrants.byOrganization(userIds, organizationId);
    await this.escalationGuard.requireCover(actorWithin(actor, organizationId), held.get(organizationId) ?? [], target);
  }

  /** The actor must hold what any member holds in the organization only, and what its roles grant. Throws `escalation_denied`. */
  async requireCoverOfAll(actor: Pick<Caller, 'userId'>, organizationId: string): Promise<void> {
    await this.lock();
    const target = targetOfPlace(organizationId);
    const grants = await this.organizationGrants.ofOrganization(organizationId);
    await this.escalationGuard.requireCover(actorWithin(actor, organizationId), grants, target);
  }

  /**
   * Same as `ChangeableRolesService.requireRecentToEase`, for the roles that a member loses. Throws
   * `reauthentication_required`.
   */
  async requireRecentToEase(caller: Caller, lost: readonly string[]): Promise<void> {
    if (lost.length === 0) return;
    const mfaRequired = (await this.roles.findByIds(lost)).some((role) => role.mfaRequired);
    await this.changeableRoles.requireRecentToEase(caller, { mfaRequired });
  }
}
