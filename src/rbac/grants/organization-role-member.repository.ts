import { Injectable } from '@nestjs/common';
import { MembershipRepository } from './membership.repository';

/** The members of an organization who have one of its roles themselves. */
@Injectable()
export class OrganizationRoleMemberRepository extends MembershipRepository {
  protected readonly table = 'organization_member_role';
  protected readonly owner = 'role_id';

  protected override async insert(roleId: string, userIds: readonly string[]): Promise<void> {
    await this.transactions.rows(
      `INSERT INTO organization_member_role (organization_id, user_id, role_id)
       SELECT role.organization_id, new.id, role.id FROM role, unnest($2::uuid[]) AS new (id) WHERE role.id = $1`,
      [roleId, userIds],
    );
  }
}
