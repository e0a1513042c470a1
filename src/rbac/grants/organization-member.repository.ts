import { Injectable } from '@nestjs/common';
import { HeldGroup } from './group.repository';
import { MembershipRepository } from './membership.repository';

/** A membership. */
export interface MemberDetail {
  /** In the order of the ids. */
  readonly roleIds: readonly string[];
  readonly joinedAt: Date;
}

/** The accepted members of organizations and their roles there. Raw SQL for sets and ON CONFLICT. */
@Injectable()
export class OrganizationMemberRepository extends MembershipRepository {
  protected readonly table = 'organization_member';
  protected readonly owner = 'organization_id';

  /** Returns false if the user is a member or does not exist. The lock keeps the user until the transaction ends. */
  async add(organizationId: string, userId: string): Promise<boolean> {
    const added = await this.transactions.rows(
      `INSERT INTO organization_member (organization_id, user_id)
       SELECT $1, id FROM user_account WHERE id = $2 FOR KEY SHARE ON CONFLICT DO NOTHING RETURNING user_id`,
      [organizationId, userId],
    );
    return added.length > 0;
  }

  /** Adds each user to the organization at the same index. Returns the indexes, from 0, of those who were no members. */
  async joinAll(userIds: readonly string[], organizationIds: readonly string[]): Promise<number[]> {
    const rows = await this.transactions.rows<{ place: number }>(
      `WITH wanted AS (
         SELECT * FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted (user_id, organization_id, place)
       ), added AS (
         INSERT INTO organization_member (organization_id, user_id) SELECT organization_id, user_id FROM wanted
         ON CONFLICT DO NOTHING RETURNING organization_id, user_id
       )
       SELECT place::int - 1 AS place FROM wanted JOIN added USING (organization_id, user_id)`,
      [userIds, organizationIds],
    );
    return rows.map(({ place }) => place);
  }

  /**
   * With the roles and grants there, and from the groups of the organization, which it returns. The removal is
   * remembered.
   */
  remove(organizationId: string, userId: string): Promise<HeldGroup[]> {
    return this.transactions.rows(
      `WITH removed AS (DELETE FROM organization_member WHERE organization_id = $1 AND user_id = $2),
       remembered AS (
         INSERT INTO organization_removal (organization_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING
       )
       DELETE FROM user_group_member USING user_group
       WHERE user_group.id = user_group_member.group_id AND user_group.organization_id = $1
         AND user_group_member.user_id = $2
       RETURNING user_group.id, user_group.name`,
      [organizationId, userId],
    );
  }

  /** Whether the user was removed, and not added since. */
  async wasRemoved(organizationId: string, userId: string): Promise<boolean> {
    const removals = await this.transactions.rows(
      'SELECT 1 FROM organization_removal WHERE organization_id = $1 AND user_id = $2',
      [organizationId, userId],
    );
    return removals.length > 0;
  }

  /** The indexes, from 0, of the pairs whose user was removed, and not added since. */
  async removalsAmong(userIds: readonly string[], organizationIds: readonly string[]): Promise<number[]> {
    const rows = await this.transactions.rows<{ place: number }>(
      `SELECT place::int - 1 AS place
       FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted (user_id, organization_id, place)
       JOIN organization_removal USING (organization_id, user_id)`,
      [userIds, organizationIds],
    );
    return rows.map(({ place }) => place);
  }

  /** For a user who is no member. */
  async rememberRemoval(organizationId: string, userId: string): Promise<void> {
    await this.transactions.rows(
      'INSERT INTO organization_removal (organization_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [organizationId, userId],
    );
  }

  async clearRemoval(organizationId: string, userId: string): Promise<void> {
    await this.transactions.rows('DELETE FROM organization_removal WHERE organization_id = $1 AND user_id = $2', [
      organizationId,
      userId,
    ]);
  }

  /** Of the organizations, those that the user is a member of. */
  async organizationsAmong(userId: string, ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.transactions.rows<{ id: string }>(
      'SELECT organization_id AS id FROM organization_member WHERE user_id = $1 AND organization_id = ANY($2::uuid[])',
      [userId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** By user id; no entry for others than members. */
  async detailsOf(organizationId: string, userIds: readonly string[]): Promise<Map<string, MemberDetail>> {
    const rows = await this.transactions.rows<MemberDetail & { userId: string }>(
      `SELECT user_id AS "userId", joined_at AS "joinedAt", ARRAY(
         SELECT role_id FROM organization_member_role AS given
         WHERE given.organization_id = member.organization_id AND given.user_id = member.user_id ORDER BY role_id
       ) AS "roleIds"
       FROM organization_member AS member WHERE organization_id = $1 AND user_id = ANY($2::uuid[])`,
      [organizationId, userIds],
    );
    return new Map(rows.map(({ userId, ...detail }) => [userId, detail]));
  }

  /** The users must be members without the role. */
  async giveRole(organizationId: string, userIds: readonly string[], roleId: string): Promise<void> {
    await this.transactions.rows(
      `INSERT INTO organization_member_role (organization_id, user_id, role_id)
       SELECT $1, user_id, $3 FROM unnest($2::uuid[]) AS given (user_id)`,
      [organizationId, userIds, roleId],
    );
  }

  /** Writes only the difference, in one statement. The user must be a member. */
  async replaceRoles(organizationId: string, userId: string, roleIds: readonly string[]): Promise<void> {
    await this.transactions.rows(
      `WITH removed AS (
         DELETE FROM organization_member_role
         WHERE organization_id = $1 AND user_id = $2 AND NOT role_id = ANY($3::uuid[])
       )
       INSERT INTO organization_member_role (organization_id, user_id, role_id)
       SELECT $1, $2, role_id FROM unnest($3::uuid[]) AS wanted (role_id) ON CONFLICT DO NOTHING`,
      [organizationId, userId, roleIds],
    );
  }
}
