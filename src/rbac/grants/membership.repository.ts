import { Injectable } from '@nestjs/common';
import { Replicas, Transactions } from '../../platform/database';
import { CountEstimateRepository, CursorPage, EXACT_TOTAL, Page, Total } from '../../platform/lists';
import { PublicUser } from '../../users';

export interface MemberDifference {
  readonly added: string[];
  readonly removed: string[];
}

/**
 * The members of something, which a table of pairs of `user_id` and the column `owner` names. Raw SQL throughout, for
 * sets of any length in one statement and for an order by collation.
 */
@Injectable()
export abstract class MembershipRepository {
  /** Constants: the table, and its column with the id of the role or group. */
  protected abstract readonly table: string;
  protected abstract readonly owner: string;

  constructor(
    protected readonly transactions: Transactions,
    private readonly replicas: Replicas,
    private readonly totals: CountEstimateRepository,
  ) {}

  async isMember(ownerId: string, userId: string): Promise<boolean> {
    const sql = `SELECT 1 FROM ${this.table} WHERE ${this.owner} = $1 AND user_id = $2`;
    return (await this.transactions.rows(sql, [ownerId, userId])).length > 0;
  }

  count(ownerId: string): Promise<Total> {
    return this.totals.count(`SELECT 1 FROM ${this.table} WHERE ${this.owner} = $1`, [ownerId]);
  }

  /** By id, as exact as `count`. Reads at most as many rows per id as it counts exactly. */
  async counts(ownerIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.transactions.rows<{ id: string; total: number }>(
      `SELECT wanted.id, (SELECT count(*)::int FROM (SELECT 1 FROM ${this.table} WHERE ${this.owner} = wanted.id
         LIMIT ${EXACT_TOTAL + 1}) AS counted) AS total
       FROM unnest($1::uuid[]) AS wanted (id)`,
      [ownerIds],
    );
    const counts = new Map(rows.map(({ id, total }) => [id, total]));
    for (const [id, total] of counts) if (total > EXACT_TOTAL) counts.set(id, (await this.count(id)).total);
    return counts;
  }

  /** The ids that belong to no user, in no particular order. */
  async unknownUsers(userIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.transactions.rows<{ id: string }>(
      `SELECT wanted.id FROM unnest($1::uuid[]) AS wanted (id)
       WHERE NOT EXISTS (SELECT 1 FROM user_account WHERE user_account.id = wanted.id)`,
      [userIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The users to add and to remove, so that exactly these remain. */
  async difference(ownerId: string, userIds: readonly string[]): Promise<MemberDifference> {
    const rows = await this.transactions.rows<{ id: string; is_new: boolean }>(
      `SELECT coalesce(wanted.id, member.user_id) AS id, member.user_id IS NULL AS is_new
       FROM (SELECT id FROM unnest($2::uuid[]) AS given (id)) AS wanted
       FULL JOIN (SELECT user_id FROM ${this.table} WHERE ${this.owner} = $1) AS member ON member.user_id = wanted.id
       WHERE wanted.id IS NULL OR member.user_id IS NULL`,
      [ownerId, userIds],
    );
    const idsOf = (isNew: boolean): string[] => rows.filter((row) => row.is_new === isNew).map(({ id }) => id);
    return { added: idsOf(true), removed: idsOf(false) };
  }

  /** The ids that are no members, in no particular order. */
  async newAmong(ownerId: string, userIds: readonly string[]): Promise<string[]> {
    const rows = await this.transactions.rows<{ id: string }>(
      `SELECT wanted.id FROM unnest($2::uuid[]) AS wanted (id)
       WHERE NOT EXISTS (SELECT 1 FROM ${this.table} WHERE ${this.owner} = $1 AND user_id = wanted.id)`,
      [ownerId, userIds],
    );
    return rows.map(({ id }) => id);
  }

  /** The ids that are members, in no particular order. */
  async presentAmong(ownerId: string, userIds: readonly string[]): Promise<string[]> {
    const rows = await this.transactions.rows<{ user_id: string }>(
      `SELECT user_id FROM ${this.table} WHERE ${this.owner} = $1 AND user_id = ANY($2::uuid[])`,
      [ownerId, userIds],
    );
    return rows.map(({ user_id }) => user_id);
  }

  async replace(ownerId: string, { added, removed }: MemberDifference): Promise<void> {
    await this.transactions.rows(
      `DELETE FROM ${this.table} USING unnest($2::uuid[]) AS gone (id) WHERE ${this.owner} = $1 AND user_id = gone.id`,
      [ownerId, removed],
    );
    await this.insert(ownerId, added);
  }

  /** By username. */
  page(ownerId: string, { limit, offset }: Page): Promise<PublicUser[]> {
    return this.list(ownerId, '', limit, offset);
  }

  /** By username, starting after the lower-case username in the cursor. */
  cursorPage(ownerId: string, { limit, after }: CursorPage): Promise<PublicUser[]> {
    return this.list(ownerId, after?.[0] ?? '', limit, 0);
  }

  protected async insert(ownerId: string, userIds: readonly string[]): Promise<void> {
    await this.transactions.rows(
      `INSERT INTO ${this.table} (${this.owner}, user_id) SELECT $1, id FROM unnest($2::uuid[]) AS new (id)`,
      [ownerId, userIds],
    );
  }

  private list(ownerId: string, after: string, limit: number, offset: number): Promise<PublicUser[]> {
    // Collation "C" gives the same order on every server. Usernames are never empty, so an empty `after` means the start.
    const sql = `SELECT id, username, nickname, avatar FROM user_account
       WHERE id IN (SELECT user_id FROM ${this.table} WHERE ${this.owner} = $1) AND lower(username) COLLATE "C" > $2
       ORDER BY lower(username) COLLATE "C" LIMIT $3 OFFSET $4`;
    return this.replicas.read((manager) => manager.query(sql, [ownerId, after, limit, offset]));
  }
}
