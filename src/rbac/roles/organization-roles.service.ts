import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { UserRepository } from '../../users';
import { RoleViewsService } from './role-views.service';
import { RoleRepository } from '../grants/role.repository';
import { AssignedRole } from '../grants/role.views';
import { OrganizationCoverService } from '../escalation/organization-cover.service';
import { OrganizationUser } from '../grants/organization-grant.repository';
import { OrganizationMemberRepository } from '../grants/organization-member.repository';
import { OrganizationMembershipsService } from '../organizations/organization-memberships.service';

/** Adds roles to a member by the routes of the user, as the routes of the organization do. */
@Injectable()
export class OrganizationRolesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UserRepository,
    private readonly roles: RoleRepository,
    private readonly views: RoleViewsService,
    private readonly cover: OrganizationCoverService,
    private readonly members: OrganizationMemberRepository,
    private readonly memberships: OrganizationMembershipsService,
  ) {}

  /**
   * Ignores roles that the member has there. Returns the member's roles there, sorted by scope, then name. Throws `not_found`
   * for an unknown user, `validation_failed` for others than members and unknown roles, `system_role_protected` or
   * `escalation_denied`.
   */
  give(caller: Caller, member: OrganizationUser, roleIds: readonly string[]): Promise<AssignedRole[]> {
    const { userId, organizationId } = member;
    return this.transactions.run(async () => {
      await this.cover.lock();
      if (!(await this.users.findById(userId))) throw platformErrors.notFound();
      await this.requireMember(member);
      await this.cover.requireGivable(caller, organizationId, roleIds);
      await this.cover.requireCoverOfMember(caller, member);
      await this.memberships.add(organizationId, userId, roleIds);
      return this.views.held(await this.roles.ofMember(organizationId, userId));
    });
  }

  private async requireMember({ userId, organizationId }: OrganizationUser): Promise<void> {
    if ((await this.members.organizationsAmong(userId, [organizationId])).has(organizationId)) return;
    throw platformErrors.validationFailed({ fields: [{ field: 'organization_id', code: 'not_a_member' }] });
  }
}
