import { Injectable } from '@nestjs/common';
import { MembershipRepository } from './membership.repository';
import { MemberDetail } from './organization-member.repository';

export const membershipStatuses = ['accepted', 'pending'] as const;
export type MembershipStatus = (typeof membershipStatuses)[number];

/** A membership for administrators of the organization. */
export interface ListedMember extends MemberDetail {
  readonly status: MembershipStatus;
}

/**
 * SQL: the memberships with their status. Only for those who administer them and for their user: a pending one counts nowhere.
 * An instance of the former version leaves a pending row behind when it adds the member.
 */
export const MEMBERSHIPS_WITH_STATUS = `(
    SELECT organization_id, user_id, joined_at, 'accepted' AS status FROM organization_member
    UNION ALL
    SELECT organization_id, user_id, added_at, 'pending' FROM organization_pending_member AS pending
    WHERE NOT EXISTS (SELECT 1 FROM organization_member AS accepted
      WHERE accepted.organization_id = pending.organization_id AND accepted.user_id = pending.user_id)
  ) AS member`;

/** SQL: the roles of a row of `MEMBERSHIPS_WITH_STATUS`. */
export const ROLES_OF_MEMBERSHIP = `(
    SELECT given.role_id FROM organization_member_role AS given
    WHERE given.organization_id = member.organization_id AND given.user_id = member.user_id AND member.status = 'accepted'
    UNION ALL
    SELECT given.role_id FROM organization_pending_member_role AS given
    WHERE given.organization_id = member.organization_id AND given.user_id = member.user_id AND member.status = 'pending'
  ) AS given`;

/** The members of organizations with those who have not accepted yet. Raw SQL for a union of tables. */
@Injectable()
export class OrganizationMemberListRepository extends MembershipRepository {
  protected readonly table = MEMBERSHIPS_WITH_STATUS;
  protected readonly owner = 'organization_id';

  /** By user id; no entry for others than members. */
  async detailsOf(organizationId: string, userIds: readonly string[]): Promise<Map<string, ListedMember>> {
    const rows = await this.transactions.rows<ListedMember & { userId: string }>(
      `SELECT user_id AS "userId", joined_at AS "joinedAt", status,
         ARRAY(SELECT role_id FROM ${ROLES_OF_MEMBERSHIP} ORDER BY role_id) AS "roleIds"
       FROM ${MEMBERSHIPS_WITH_STATUS} WHERE organization_id = $1 AND user_id = ANY($2::uuid[])`,
      [organizationId, userIds],
    );
    return new Map(rows.map(({ userId, ...detail }) => [userId, detail]));
  }
}
