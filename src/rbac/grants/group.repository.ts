import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, Not, Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../platform/database';
import { CountEstimateRepository, Page, Total } from '../../platform/lists';
import { groupNameKey } from './group-name';
import { Group, GroupRole } from './group.entities';
import { PlannedGroup, StoredGroup } from './imported-group-plan';

/** Instead of an organization: the groups of the service and of all organizations. */
export const ANYWHERE = 'anywhere';

export interface GroupFilter {
  /** An id; null: the groups of the service; or `ANYWHERE`. */
  readonly organizationId: string | null;
  /** Part of a name, ignoring case. */
  readonly keyword?: string | undefined;
  readonly parentId?: string | undefined;
  /** Only groups that have this role themselves. */
  readonly roleId?: string | undefined;
}

/** A group that a user is a member of, or that is above one. */
export type HeldGroup = Pick<Group, 'id' | 'name'>;

const COLUMNS = `id, name, name_key AS "nameKey", description, parent_id AS "parentId", organization_id AS "organizationId", path,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Separate conditions, so that each can use its unique index, which also has the order. */
function placeOf({ organizationId }: GroupFilter): string {
  if (organizationId === ANYWHERE) return '$4::uuid IS NULL';
  return organizationId === null ? 'organization_id IS NULL AND $4::uuid IS NULL' : 'organization_id = $4';
}

const matching = (filter: GroupFilter): string =>
  `${placeOf(filter)}
   AND ($1::varchar IS NULL OR position($1 IN name_key) > 0)
   AND ($2::uuid IS NULL OR parent_id = $2)
   AND ($3::uuid IS NULL OR id IN (SELECT group_id FROM user_group_role WHERE role_id = $3))`;

const valuesOf = ({ keyword, parentId, roleId, organizationId }: GroupFilter): (string | null)[] => [
  keyword === undefined ? null : groupNameKey(keyword),
  parentId ?? null,
  roleId ?? null,
  organizationId === ANYWHERE ? null : organizationId,
];

/** The group and those below it, with their level: 1 for the group. */
const BELOW = `WITH RECURSIVE below AS (
    SELECT id, 1 AS level FROM user_group WHERE id = $1
    UNION ALL
    SELECT child.id, below.level + 1 FROM below JOIN user_group AS child ON child.parent_id = below.id
  )`;

/** Groups, their tree and their roles. */
@Injectable()
export class GroupRepository {
  constructor(
    @InjectRepository(Group, CASTELLAN) private readonly groups: Repository<Group>,
    @InjectRepository(GroupRole, CASTELLAN) private readonly roles: Repository<GroupRole>,
    private readonly transactions: Transactions,
    private readonly totals: CountEstimateRepository,
  ) {}

  findById(id: string): Promise<Group | null> {
    return this.groups.findOneBy({ id });
  }

  /** The groups that exist, in no particular order. */
  findByIds(ids: readonly string[]): Promise<Group[]> {
    return this.groups.findBy({ id: Any(ids) });
  }

  /** Whether another group than `id` has the name in the same organization, or in the service, ignoring case. */
  isTaken({ id, name, organizationId }: Pick<Group, 'id' | 'name' | 'organizationId'>): Promise<boolean> {
    return this.groups.existsBy({
      nameKey: groupNameKey(name),
      organizationId: organizationId ?? IsNull(),
      id: Not(id),
    });
  }

  /** The groups of the service with one of the names, ignoring case, and whether they have roles. Raw SQL for EXISTS. */
  findNamed(names: readonly string[]): Promise<StoredGroup[]> {
    return this.transactions.rows(
      `SELECT id, name, parent_id AS "parentId",
         EXISTS (SELECT 1 FROM user_group_role WHERE user_group_role.group_id = user_group.id) AS "hasRoles"
       FROM user_group WHERE organization_id IS NULL AND name_key = ANY($1::text[])`,
      [names.map(groupNameKey)],
    );
  }

  /** By name, ignoring case. Raw SQL for the filter. */
  list(filter: GroupFilter, { limit, offset }: Pick<Page, 'limit' | 'offset'>): Promise<Group[]> {
    return this.transactions.rows(
      `SELECT ${COLUMNS} FROM user_group WHERE ${matching(filter)} ORDER BY name_key LIMIT $5 OFFSET $6`,
      [...valuesOf(filter), limit, offset],
    );
  }

  /** Raw SQL, because `CountEstimateRepository` counts a statement. */
  count(filter: GroupFilter): Promise<Total> {
    return this.totals.count(`SELECT 1 FROM user_group WHERE ${matching(filter)}`, valuesOf(filter));
  }

  /** The user's groups of the service and those above them, by name. Raw SQL for the paths and the order. */
  ofUser(userId: string): Promise<HeldGroup[]> {
    return this.transactions.rows(
      `SELECT id, name FROM user_group WHERE id IN (
         SELECT unnest(path) FROM user_group WHERE organization_id IS NULL
           AND id IN (SELECT group_id FROM user_group_member WHERE user_id = $1))
       ORDER BY name_key`,
      [userId],
    );
  }

  /** The user's groups, also of organizations, and those above them. Raw SQL for the paths. */
  ofUserAnywhere(userId: string): Promise<HeldGroup[]> {
    return this.transactions.rows(
      `SELECT id, name FROM user_group WHERE id IN (
         SELECT unnest(path) FROM user_group WHERE id IN (SELECT group_id FROM user_group_member WHERE user_id = $1))`,
      [userId],
    );
  }

  /** The ids of the roles that each of the groups has itself, in the order of the ids. */
  async rolesOf(groupIds: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.roles.find({ where: { groupId: Any(groupIds) }, order: { roleId: 'ASC' } });
    const roles = new Map(groupIds.map((id): [string, string[]] => [id, []]));
    for (const { groupId, roleId } of rows) roles.get(groupId)?.push(roleId);
    return roles;
  }

  hasChildren(id: string): Promise<boolean> {
    return this.groups.existsBy({ parentId: id });
  }

  /** Levels of the tree that begins with the group: 1 without children. Raw SQL for recursion. */
  async heightOf(id: string): Promise<number> {
    const sql = `${BELOW} SELECT max(level)::int AS height FROM below`;
    const [row] = await this.transactions.rows<{ height: number }>(sql, [id]);
    return row?.height ?? 1;
  }

  async insert(
    group: Pick<Group, 'id' | 'name' | 'description' | 'parentId' | 'organizationId' | 'path'>,
  ): Promise<void> {
    await this.groups.insert({ ...group, nameKey: groupNameKey(group.name), path: [...group.path] });
  }

  /** Groups of the service, each after the one above it. Raw SQL for a batch. */
  async insertAll(groups: readonly PlannedGroup[]): Promise<void> {
    const rows = groups.map(({ id, name, parentId, path }) => ({
      id,
      name,
      name_key: groupNameKey(name),
      parent_id: parentId,
      path,
    }));
    await this.transactions.rows(
      `INSERT INTO user_group (id, name, name_key, parent_id, path)
       SELECT id, name, name_key, parent_id, path FROM jsonb_to_recordset($1::jsonb)
         AS wanted (id uuid, name varchar, name_key varchar, parent_id uuid, path uuid[])`,
      [JSON.stringify(rows)],
    );
  }

  async update(id: string, change: Pick<Group, 'name' | 'description' | 'parentId'>): Promise<void> {
    await this.groups.update({ id }, { ...change, nameKey: groupNameKey(change.name), updatedAt: () => 'now()' });
  }

  /**
   * Gives the group, whose path began with `before`, and the groups below it a path that begins with `after`. Raw SQL for
   * recursion and arrays.
   */
  async move(id: string, before: readonly string[], after: readonly string[]): Promise<void> {
    await this.transactions.rows(
      `${BELOW} UPDATE user_group SET path = $3::uuid[] || path[$2::int + 1:] FROM below WHERE user_group.id = below.id`,
      [id, before.length, after],
    );
  }

  async delete(id: string): Promise<void> {
    await this.groups.delete({ id });
  }

  /** Raw SQL to write only the difference in one statement. */
  async replaceRoles(id: string, roleIds: readonly string[]): Promise<void> {
    await this.transactions.rows(
      `WITH removed AS (DELETE FROM user_group_role WHERE group_id = $1 AND NOT role_id = ANY($2::uuid[]))
       INSERT INTO user_group_role (group_id, role_id) SELECT $1, role_id FROM unnest($2::uuid[]) AS wanted (role_id)
       ON CONFLICT DO NOTHING`,
      [id, roleIds],
    );
  }
}
