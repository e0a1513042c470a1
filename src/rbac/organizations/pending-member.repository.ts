import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { OrganizationUser } from '../grants/organization-grant.repository';

/** A membership that waits for its user. */
export interface PendingMember extends OrganizationUser {
  /** Who gives the roles. Null after the account was deleted. */
  readonly addedBy: string | null;
  /** In the order of the ids. */
  readonly roleIds: readonly string[];
}

/** Memberships that wait for their users. Raw SQL for ON CONFLICT and sets. */
@Injectable()
export class PendingMemberRepository {
  constructor(private readonly transactions: Transactions) {}

  async find({ organizationId, userId }: OrganizationUser): Promise<PendingMember | undefined> {
    const [found] = await this.transactions.rows<PendingMember>(
      `SELECT organization_id AS "organizationId", user_id AS "userId", added_by AS "addedBy", ARRAY(
         SELECT role_id FROM organization_pending_member_role AS given
         WHERE given.organization_id = pending.organization_id AND given.user_id = pending.user_id ORDER BY role_id
       ) AS "roleIds"
       FROM organization_pending_member AS pending WHERE organization_id = $1 AND user_id = $2`,
      [organizationId, userId],
    );
    return found;
  }

  /** The indexes, from 0, of the users who are pending in the organization at the same index. */
  async placesAmong(userIds: readonly string[], organizationIds: readonly string[]): Promise<Set<number>> {
    const rows = await this.transactions.rows<{ place: number }>(
      `SELECT place::int - 1 AS place
       FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted (user_id, organization_id, place)
       JOIN organization_pending_member USING (organization_id, user_id)`,
      [userIds, organizationIds],
    );
    return new Set(rows.map(({ place }) => place));
  }

  /** Adds the member, or replaces the roles and who gives them. The lock keeps the user until the transaction ends. */
  async save({ organizationId, userId, addedBy, roleIds }: PendingMember): Promise<void> {
    const pair = [organizationId, userId];
    await this.transactions.rows(
      `INSERT INTO organization_pending_member (organization_id, user_id, added_by)
       SELECT $1, id, $3 FROM user_account WHERE id = $2 FOR KEY SHARE
       ON CONFLICT (organization_id, user_id) DO UPDATE SET added_by = excluded.added_by`,
      [...pair, addedBy],
    );
    await this.transactions.rows(
      'DELETE FROM organization_pending_member_role WHERE organization_id = $1 AND user_id = $2',
      pair,
    );
    await this.transactions.rows(
      `INSERT INTO organization_pending_member_role (organization_id, user_id, role_id)
       SELECT $1, $2, role_id FROM unnest($3::uuid[]) AS wanted (role_id)`,
      [...pair, roleIds],
    );
  }

  /** With the roles. */
  async remove({ organizationId, userId }: OrganizationUser): Promise<void> {
    await this.transactions.rows(
      'DELETE FROM organization_pending_member WHERE organization_id = $1 AND user_id = $2',
      [organizationId, userId],
    );
  }
}
