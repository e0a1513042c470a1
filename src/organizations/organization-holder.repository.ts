import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { everythingIn, WILDCARD, countsIn, OrganizationUser } from '../rbac';

/** Who holds everything in an organisation. Raw SQL for paths of groups and a union of tables. */
@Injectable()
export class OrganizationHolderRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Whether no other active member holds every permission there, of those that hold in the organisation only. */
  async isLastOfAll({ organizationId, userId }: OrganizationUser): Promise<boolean> {
    const { scope, permissionId, level } = everythingIn(WILDCARD);
    const [row] = await this.transactions.rows<{ is_held: boolean; is_others: boolean }>(
      `WITH everything AS MATERIALIZED (
         SELECT role.id FROM role_grant JOIN role ON role.id = role_grant.role_id
         WHERE role_grant.scope = $3 AND permission_id = $4 AND level = $5 AND ${countsIn('$1')}
       ), holder AS (
         SELECT user_id FROM organization_member_grant
         WHERE organization_id = $1 AND scope = $3 AND permission_id = $4 AND level = $5
         UNION
         SELECT user_id FROM organization_member_role JOIN everything ON everything.id = role_id
         WHERE organization_id = $1
         UNION
         SELECT joined.user_id FROM everything JOIN user_group_role AS given ON given.role_id = everything.id
         JOIN user_group ON user_group.organization_id = $1 AND given.group_id = ANY(user_group.path)
         JOIN user_group_member AS joined ON joined.group_id = user_group.id
       )
       SELECT coalesce(bool_or(holder.user_id = $2), false) AS is_held,
         coalesce(bool_or(holder.user_id <> $2 AND user_account.status = 'active'), false) AS is_others
       FROM holder JOIN organization_member AS member ON member.organization_id = $1 AND member.user_id = holder.user_id
       JOIN user_account ON user_account.id = holder.user_id`,
      [organizationId, userId, scope, permissionId, level],
    );
    return row?.is_held === true && !row.is_others;
  }
}
