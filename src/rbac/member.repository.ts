import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, preparedStatement, Replicas, Transactions } from '../platform/database';
import { EXACT_TOTAL, CountEstimateRepository, Page, CursorPage, Total } from '../platform/lists';
import { PublicUser } from '../users';
import { UserRole } from './grant.entities';

/** Raw SQL here and in the next two: ON CONFLICT skips users who already have the role. */
const JOIN = preparedStatement(
  `INSERT INTO user_role (user_id, role_id) SELECT $1, role_id FROM unnest($2::uuid[]) AS wanted (role_id)
   ON CONFLICT DO NOTHING RETURNING role_id`,
);
/** Prepared because every registration runs it. */
const ADD = preparedStatement('INSERT INTO user_role (user_id, role_id) VALUES ($1, $2) ON CONFLICT DO NOTHING');

/** The members of roles. */
@Injectable()
export class MemberRepository {
  constructor(
    @InjectRepository(UserRole, CASTELLAN) private readonly members: Repository<UserRole>,
    private readonly transactions: Transactions,
    private readonly replicas: Replicas,
    private readonly totals: CountEstimateRepository,
  ) {}

  /** Adds the user to the roles. Returns the roles the user did not have before. */
  async join(userId: string, roleIds: readonly string[]): Promise<string[]> {
    const joined = await this.transactions.rows<{ role_id: string }>(JOIN, [userId, roleIds]);
    return joined.map(({ role_id }) => role_id);
  }

  /** Adds the user to the role. The write is sent with the commit. */
  add(userId: string, roleId: string): Promise<void> {
    return this.transactions.write(ADD, [userId, roleId]);
  }

  /** Adds each user to the role at the same index. */
  async joinAll(userIds: readonly string[], roleIds: readonly string[]): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO user_role (user_id, role_id)
       SELECT user_id, role_id FROM unnest($1::uuid[], $2::uuid[]) AS wanted (user_id, role_id) ON CONFLICT DO NOTHING`,
      [userIds, roleIds],
    );
  }

  async leave(userId: string, roleId: string): Promise<void> {
    await this.members.delete({ userId, roleId });
  }

  isMember(roleId: string, userId: string): Promise<boolean> {
    return this.members.existsBy({ roleId, userId });
  }

  hasMembers(roleId: string): Promise<boolean> {
    return this.members.existsBy({ roleId });
  }

  /**
   * The role's active users except `userId`, by id, starting after the id `after`. Raw SQL for the join with another
   * feature's table.
   */
  async activeOthers(roleId: string, userId: string, after: string, limit: number): Promise<string[]> {
    const rows = await this.transactions.manager.query<{ id: string }[]>(
      `SELECT user_account.id FROM user_role JOIN user_account ON user_account.id = user_role.user_id
       WHERE user_role.role_id = $1 AND user_role.user_id <> $2 AND user_role.user_id > $3
         AND user_account.status = 'active'
       ORDER BY user_role.user_id LIMIT $4`,
      [roleId, userId, after, limit],
    );
    return rows.map(({ id }) => id);
  }

  count(roleId: string): Promise<Total> {
    return this.totals.count('SELECT 1 FROM user_role WHERE role_id = $1', [roleId]);
  }

  /**
   * Member counts by role, as exact as `count`. Raw SQL for one query that reads at most as many rows per role as it
   * counts exactly.
   */
  async counts(roleIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.transactions.manager.query<{ role_id: string; total: number }[]>(
      `SELECT role_id, (SELECT count(*)::int FROM (SELECT 1 FROM user_role WHERE user_role.role_id = wanted.role_id
         LIMIT ${EXACT_TOTAL + 1}) AS counted) AS total
       FROM unnest($1::uuid[]) AS wanted (role_id)`,
      [roleIds],
    );
    const counts = new Map(rows.map(({ role_id, total }) => [role_id, total]));
    for (const [id, total] of counts) if (total > EXACT_TOTAL) counts.set(id, (await this.count(id)).total);
    return counts;
  }

  /** The ids that belong to no user, in no particular order. Raw SQL, because these ids are in no table. */
  async unknownUsers(userIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.transactions.manager.query<{ id: string }[]>(
      `SELECT wanted.id FROM unnest($1::uuid[]) AS wanted (id)
       WHERE NOT EXISTS (SELECT 1 FROM user_account WHERE user_account.id = wanted.id)`,
      [userIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * The users to add to the role and to remove from it, so that it has exactly these. Raw SQL for a full join with a
   * long list.
   */
  async difference(roleId: string, userIds: readonly string[]): Promise<{ added: string[]; removed: string[] }> {
    const rows = await this.transactions.manager.query<{ id: string; is_new: boolean }[]>(
      `SELECT coalesce(wanted.id, member.user_id) AS id, member.user_id IS NULL AS is_new
       FROM (SELECT id FROM unnest($2::uuid[]) AS given (id)) AS wanted
       FULL JOIN (SELECT user_id FROM user_role WHERE role_id = $1) AS member ON member.user_id = wanted.id
       WHERE wanted.id IS NULL OR member.user_id IS NULL`,
      [roleId, userIds],
    );
    const idsOf = (isNew: boolean): string[] => rows.filter((row) => row.is_new === isNew).map(({ id }) => id);
    return { added: idsOf(true), removed: idsOf(false) };
  }

  /** The ids that are not in the role, in no particular order. Raw SQL, because these ids are in no table. */
  async newAmong(roleId: string, userIds: readonly string[]): Promise<string[]> {
    const rows = await this.transactions.rows<{ id: string }>(
      `SELECT wanted.id FROM unnest($2::uuid[]) AS wanted (id)
       WHERE NOT EXISTS (SELECT 1 FROM user_role WHERE role_id = $1 AND user_id = wanted.id)`,
      [roleId, userIds],
    );
    return rows.map(({ id }) => id);
  }

  /** Raw SQL for batches of any length with one parameter each. */
  async replace(
    roleId: string,
    { added, removed }: { added: readonly string[]; removed: readonly string[] },
  ): Promise<void> {
    const { manager } = this.transactions;
    await manager.query(
      `DELETE FROM user_role USING unnest($2::uuid[]) AS gone (id) WHERE role_id = $1 AND user_id = gone.id`,
      [roleId, removed],
    );
    await manager.query(`INSERT INTO user_role (role_id, user_id) SELECT $1, id FROM unnest($2::uuid[]) AS new (id)`, [
      roleId,
      added,
    ]);
  }

  /** By username. */
  page(roleId: string, { limit, offset }: Page): Promise<PublicUser[]> {
    return this.list(roleId, '', limit, offset);
  }

  /** By username, starting after the lower-case username in the cursor. */
  cursorPage(roleId: string, { limit, after }: CursorPage): Promise<PublicUser[]> {
    return this.list(roleId, after?.[0] ?? '', limit, 0);
  }

  private list(roleId: string, after: string, limit: number, offset: number): Promise<PublicUser[]> {
    // Raw SQL, because TypeORM cannot order by collation, and "C" gives the same order on every server. Usernames are
    // never empty, so an empty `after` means the start.
    const sql = `SELECT id, username, nickname, avatar FROM user_account
       WHERE id IN (SELECT user_id FROM user_role WHERE role_id = $1) AND lower(username) COLLATE "C" > $2
       ORDER BY lower(username) COLLATE "C" LIMIT $3 OFFSET $4`;
    return this.replicas.read((manager) => manager.query(sql, [roleId, after, limit, offset]));
  }
}
