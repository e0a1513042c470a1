import { Injectable } from '@nestjs/common';
import { preparedStatement, Transactions } from '../platform/database';
import {
  nameOfOwnRole,
  ROLE_NAME_SQL,
  countsIn,
  OrganizationUser,
  MEMBERSHIPS_WITH_STATUS,
  MembershipStatus,
  ROLES_OF_MEMBERSHIP,
} from '../rbac';

/** A role that a member holds there, or none. One row for each role, at least one for a member. */
export interface MembershipRow {
  readonly slug: string;
  readonly scope: string | null;
  readonly role: string | null;
  /** Whether the role is one of the organization. */
  readonly isOwn: boolean | null;
}

/** An organization of a user, with the names of the roles that the user was given there. */
export interface MembershipWithRoles {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** An https URL, or empty. */
  readonly logo: string;
  /** A pending one counts nowhere. */
  readonly status: MembershipStatus;
  /** `scope:name`, of a role of the organization `organization/scope:name`. */
  readonly roles: readonly string[];
}

/** Roles of the service first, by scope, then name, in the same order on every server. Prepared, because each token for an organization runs it. */
const MEMBERSHIP = preparedStatement(
  `WITH held AS MATERIALIZED (
     SELECT role_id FROM organization_member_role WHERE organization_id = $1 AND user_id = $2
     UNION
     SELECT given.role_id FROM user_group_member,
       LATERAL (SELECT path, organization_id FROM user_group
         WHERE user_group.id = user_group_member.group_id OFFSET 0) AS joined,
       LATERAL unnest(joined.path) AS holding (id),
       LATERAL (SELECT role_id FROM user_group_role WHERE user_group_role.group_id = holding.id OFFSET 0) AS given
     WHERE user_group_member.user_id = $2 AND joined.organization_id = $1
   )
   SELECT organization.slug, role.scope, role.name AS role, role."isOwn"
   FROM organization_member AS member JOIN organization ON organization.id = member.organization_id
   LEFT JOIN held ON true
   LEFT JOIN LATERAL (
     SELECT scope, name, organization_id IS NOT NULL AS "isOwn"
     FROM (SELECT scope, name, organization_id FROM role WHERE role.id = held.role_id OFFSET 0) AS role
     WHERE ${countsIn('$1')}
   ) AS role ON true
   WHERE member.organization_id = $1 AND member.user_id = $2
   ORDER BY role."isOwn", role.scope COLLATE "C", role.name COLLATE "C"`,
);

/** The names of organizations and of the roles of their members. Raw SQL for paths of groups and the order. */
@Injectable()
export class OrganizationNamesRepository {
  constructor(private readonly transactions: Transactions) {}

  async idOfSlug(slug: string): Promise<string | undefined> {
    const [row] = await this.transactions.rows<{ id: string }>('SELECT id FROM organization WHERE slug = $1', [slug]);
    return row?.id;
  }

  async slugOf(id: string): Promise<string | undefined> {
    const [row] = await this.transactions.rows<{ slug: string }>('SELECT slug FROM organization WHERE id = $1', [id]);
    return row?.slug;
  }

  /** The ids of up to `limit` organizations of the user, in no particular order. */
  async idsOfUser(userId: string, limit: number): Promise<string[]> {
    const rows = await this.transactions.rows<{ id: string }>(
      'SELECT organization_id AS id FROM organization_member WHERE user_id = $1 LIMIT $2',
      [userId, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Up to `limit` organizations of the user, with pending memberships, by slug. */
  membershipsOf(userId: string, limit: number): Promise<MembershipWithRoles[]> {
    return this.transactions.rows<MembershipWithRoles>(
      `SELECT organization.id, organization.slug, organization.name, organization.logo, member.status, ARRAY(
           SELECT CASE WHEN role.organization_id IS NULL THEN '' ELSE '${nameOfOwnRole('')}' END
             || role.scope || ':' || ${ROLE_NAME_SQL} FROM ${ROLES_OF_MEMBERSHIP}
           JOIN role ON role.id = given.role_id
           ORDER BY role.scope, role.name) AS roles
       FROM ${MEMBERSHIPS_WITH_STATUS} JOIN organization ON organization.id = member.organization_id
       WHERE member.user_id = $1 ORDER BY organization.slug LIMIT $2`,
      [userId, limit],
    );
  }

  /** No rows for others than members. */
  membership({ organizationId, userId }: OrganizationUser): Promise<MembershipRow[]> {
    return this.transactions.rows<MembershipRow>(MEMBERSHIP, [organizationId, userId]);
  }
}
