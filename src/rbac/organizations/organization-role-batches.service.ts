import { Injectable } from '@nestjs/common';
import { OrganizationReachService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { MembershipsService } from '../grants/memberships.service';
import { PermissionsService } from '../grants/permissions.service';
import { userPermissions } from '../grants/rbac.permissions';
import { Role } from '../grants/role.entity';
import { targetOf } from '../grants/role.views';
import { OrganizationCoverService } from '../escalation/organization-cover.service';
import { OrganizationMemberRepository } from '../grants/organization-member.repository';
import { OrganizationMembershipsService } from './organization-memberships.service';

/** Gives a role of the service to several members of an organization, as `OrganizationRolesService` does to one. */
@Injectable()
export class OrganizationRoleBatchesService {
  constructor(
    private readonly reach: OrganizationReachService,
    private readonly permissions: PermissionsService,
    private readonly cover: OrganizationCoverService,
    private readonly lists: MembershipsService,
    private readonly members: OrganizationMemberRepository,
    private readonly memberships: OrganizationMembershipsService,
  ) {}

  /**
   * Call it in the transaction of the change. Returns how many users did not have the role there. Throws
   * `permission_denied` without `user:admin` everywhere, `not_found` for a role of another organization, `validation_failed`
   * for others than members, `system_role_protected` or `escalation_denied`.
   */
  async give(caller: Caller, role: Role, organizationId: string, userIds: readonly string[]): Promise<number> {
    if (!(await this.reach.reaches(caller, userPermissions.administer, null))) {
      throw platformErrors.permissionDenied({ params: this.permissions.describe(userPermissions.administer) });
    }
    if (role.organizationId !== null) throw platformErrors.notFound();
    await this.cover.requireGivable(caller, organizationId, [role.id]);
    await this.lists.requireMembers(this.members, organizationId, userIds);
    const target = { ...targetOf(role), organizationId };
    await this.cover.requireCoverOfMembers(caller, organizationId, userIds, target);
    return this.memberships.giveRole(organizationId, userIds, role.id);
  }
}
