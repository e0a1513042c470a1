import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { countsIn } from '../grants/role-place';
import { everythingIn, WILDCARD } from '../permission';

export interface Holding {
  readonly id: string;
  /** Whether one of the named users holds everything there. */
  readonly isTheirs: boolean;
  /** Whether an active user beside them does. */
  readonly isAdministered: boolean;
}

/**
 * SQL: who holds every permission in the organizations `$1`, seen beside the users `$5`. Those that hold everything
 * everywhere do not count.
 */
const HOLDINGS = `WITH everything AS MATERIALIZED (
    SELECT role.id, wanted.id AS organization_id FROM role_grant JOIN role ON role.id = role_grant.role_id
    CROSS JOIN unnest($1::uuid[]) AS wanted (id)
    WHERE role_grant.scope = $2 AND permission_id = $3 AND level = $4 AND ${countsIn('wanted.id')}
  ), holder AS (
    SELECT user_id, organization_id FROM organization_member_grant
    WHERE organization_id = ANY($1::uuid[]) AND scope = $2 AND permission_id = $3 AND level = $4
    UNION
    SELECT user_id, given.organization_id FROM organization_member_role AS given
    JOIN everything ON everything.id = given.role_id AND everything.organization_id = given.organization_id
    UNION
    SELECT joined.user_id, everything.organization_id FROM everything
    JOIN user_group_role AS given ON given.role_id = everything.id
    JOIN user_group ON user_group.organization_id = everything.organization_id AND given.group_id = ANY(user_group.path)
    JOIN user_group_member AS joined ON joined.group_id = user_group.id
  )
  SELECT organization_id AS id, bool_or(user_id = ANY($5::uuid[])) AS "isTheirs",
    bool_or(user_id <> ALL($5::uuid[]) AND user_account.status = 'active') AS "isAdministered"
  FROM holder JOIN organization_member USING (organization_id, user_id) JOIN user_account ON user_account.id = user_id
  GROUP BY organization_id`;

/** SQL: the organizations of the users `$1`. */
const ORGANIZATIONS = 'SELECT DISTINCT organization_id AS id FROM organization_member WHERE user_id = ANY($1::uuid[])';

/** Who holds every permission in organizations. Raw SQL for paths of groups and a union of tables. */
@Injectable()
export class OrganizationHolderRepository {
  constructor(private readonly transactions: Transactions) {}

  /** In the organizations of the users. */
  async inOrganizationsOf(userIds: readonly string[]): Promise<Holding[]> {
    const joined = await this.transactions.rows<{ id: string }>(ORGANIZATIONS, [userIds]);
    return this.beside(
      joined.map(({ id }) => id),
      userIds,
    );
  }

  async beside(organizationIds: readonly string[], userIds: readonly string[]): Promise<Holding[]> {
    if (organizationIds.length === 0) return [];
    const { scope, permissionId, level } = everythingIn(WILDCARD);
    return this.transactions.rows<Holding>(HOLDINGS, [organizationIds, scope, permissionId, level, userIds]);
  }
}
