import { Injectable } from '@nestjs/common';
import { GroupRepository, RoleRepository, OrganizationMemberRepository } from '../rbac';

/** What is deleted with an organization. */
@Injectable()
export class OrganizationContentsService {
  constructor(
    private readonly members: OrganizationMemberRepository,
    private readonly groups: GroupRepository,
    private readonly roles: RoleRepository,
  ) {}

  /** For the audit log. Exact up to 10,000 each, then estimates. */
  async counts(organizationId: string): Promise<object> {
    const members = await this.members.count(organizationId);
    const groups = await this.groups.count({ organizationId });
    const roles = await this.roles.count({ organizationId });
    return { member_count: members.total, group_count: groups.total, role_count: roles.total };
  }
}
