import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { newId } from '../platform/crypto';
import { CASTELLAN, preparedStatement, Transactions } from '../platform/database';
import { CountEstimateRepository, Page, Total } from '../platform/lists';
import { Role } from './role.entity';
import { SystemRole } from './system-roles';

/** A role of a user, and the number of roles that the user has. */
export interface RoleOfUser extends Pick<Role, 'id' | 'scope' | 'name'> {
  readonly userId: string;
  readonly total: number;
}

export interface RoleFilter {
  readonly scope?: string | undefined;
  /** Part of a name, ignoring case. */
  readonly keyword?: string | undefined;
}

const MATCHING = `($1::varchar IS NULL OR scope = $1) AND ($2::varchar IS NULL OR position(lower($2) IN lower(name)) > 0)`;
const COLUMNS = `id, scope, name, description, is_system AS "isSystem", mfa_required AS "mfaRequired", created_at AS "createdAt", updated_at AS "updatedAt"`;
/** The same order on every server, whatever its locale. Raw SQL, because TypeORM cannot order by collation. */
const ORDER = `ORDER BY scope COLLATE "C", name COLLATE "C"`;

/** Prepared because every registration runs it. */
const HOLD = preparedStatement(`SELECT ${COLUMNS} FROM role WHERE scope = $1 AND name = $2 FOR KEY SHARE`);

@Injectable()
export class RoleRepository {
  constructor(
    @InjectRepository(Role, CASTELLAN) private readonly roles: Repository<Role>,
    private readonly transactions: Transactions,
    private readonly totals: CountEstimateRepository,
  ) {}

  findById(id: string): Promise<Role | null> {
    return this.roles.findOneBy({ id });
  }

  findByName(scope: string, name: string): Promise<Role | null> {
    return this.roles.findOneBy({ scope, name });
  }

  /** Same as `findByName`, and blocks renaming and deleting the role until the transaction ends. */
  holdByName(scope: string, name: string): Promise<Role | null> {
    return this.transactions.rows<Role>(HOLD, [scope, name]).then(([role]) => role ?? null);
  }

  /** By scope, then name. Raw SQL for the order. */
  list({ scope, keyword }: RoleFilter, { limit, offset }: Page): Promise<Role[]> {
    return this.transactions.manager.query(
      `SELECT ${COLUMNS} FROM role WHERE ${MATCHING} ${ORDER} LIMIT $3 OFFSET $4`,
      [scope ?? null, keyword ?? null, limit, offset],
    );
  }

  /** Raw SQL, because `CountEstimateRepository` counts a statement. */
  count({ scope, keyword }: RoleFilter): Promise<Total> {
    return this.totals.count(`SELECT 1 FROM role WHERE ${MATCHING}`, [scope ?? null, keyword ?? null]);
  }

  /** The roles that exist, in no particular order. */
  findByIds(ids: readonly string[]): Promise<Role[]> {
    return this.roles.findBy({ id: Any(ids) });
  }

  /** The roles given to the user, by scope, then name. Raw SQL for the order. */
  ofUser(userId: string): Promise<Role[]> {
    return this.transactions.manager.query(
      `SELECT ${COLUMNS} FROM role WHERE id IN (SELECT role_id FROM user_role WHERE user_id = $1) ${ORDER}`,
      [userId],
    );
  }

  /** The roles given to the member of an organisation there, by scope, then name. Raw SQL for the order. */
  ofMember(organizationId: string, userId: string): Promise<Role[]> {
    return this.transactions.manager.query(
      `SELECT ${COLUMNS} FROM role WHERE id IN (
         SELECT role_id FROM organization_member_role WHERE organization_id = $1 AND user_id = $2) ${ORDER}`,
      [organizationId, userId],
    );
  }

  /**
   * The roles given to each of the users, by scope, then name, at most `limit` each, and how many they are. A limit of
   * null is none. Raw SQL for the limit.
   */
  ofUsers(userIds: readonly string[], limit: number | null): Promise<RoleOfUser[]> {
    return this.transactions.rows(
      `SELECT wanted.id AS "userId", held.* FROM unnest($1::uuid[]) AS wanted (id), LATERAL (
         SELECT role.id, scope, name, (count(*) OVER ())::int AS total FROM user_role JOIN role ON role.id = user_role.role_id
         WHERE user_role.user_id = wanted.id ${ORDER} LIMIT $2) AS held
       ${ORDER}`,
      [userIds, limit],
    );
  }

  /** The roles that the user holds everywhere, also through groups, by scope, then name. Raw SQL for paths and the order. */
  heldBy(userId: string): Promise<Role[]> {
    return this.transactions.rows(
      `SELECT ${COLUMNS} FROM role WHERE id IN (
         SELECT role_id FROM user_role WHERE user_id = $1
         UNION
         SELECT user_group_role.role_id FROM user_group_member
         JOIN user_group ON user_group.id = user_group_member.group_id
         JOIN user_group_role ON user_group_role.group_id = ANY(user_group.path)
         WHERE user_group_member.user_id = $1 AND user_group.organization_id IS NULL) ${ORDER}`,
      [userId],
    );
  }

  async insert(role: Pick<Role, 'id' | 'scope' | 'name' | 'description' | 'mfaRequired'>): Promise<void> {
    await this.roles.insert(role);
  }

  /**
   * Inserts the names that are not yet roles of the scope and returns the new roles. Raw SQL for a batch with ON
   * CONFLICT.
   */
  async insertMissing(scope: string, names: readonly string[]): Promise<Pick<Role, 'id' | 'name'>[]> {
    return this.transactions.manager.query(
      `INSERT INTO role (id, scope, name) SELECT id, $1, name FROM unnest($2::uuid[], $3::text[]) AS wanted (id, name)
       ON CONFLICT ON CONSTRAINT role_name_unique DO NOTHING RETURNING id, name`,
      [scope, names.map(newId), names],
    );
  }

  /** Of the names, the scope's roles without grants. Raw SQL for NOT EXISTS in another table. */
  findPowerless(scope: string, names: readonly string[]): Promise<Pick<Role, 'id' | 'name'>[]> {
    return this.transactions.manager.query(
      `SELECT id, name FROM role WHERE scope = $1 AND name = ANY($2::text[]) AND NOT is_system
         AND NOT EXISTS (SELECT 1 FROM role_grant WHERE role_grant.role_id = role.id)`,
      [scope, names],
    );
  }

  /** Roles of any scope that have one of the names, ignoring case, and are no system roles. Raw SQL for lower(). */
  findCustom(names: readonly string[], limit: number): Promise<Pick<Role, 'scope' | 'name'>[]> {
    return this.transactions.manager.query(
      `SELECT scope, name FROM role WHERE lower(name) = ANY($1::text[]) AND NOT is_system ORDER BY scope, name LIMIT $2`,
      [names, limit],
    );
  }

  /** Of the names, the scope's system roles and its roles with grants. Raw SQL for EXISTS in another table. */
  async findPermitting(scope: string, names: readonly string[]): Promise<string[]> {
    const rows = await this.transactions.rows<{ name: string }>(
      `SELECT name FROM role WHERE scope = $1 AND name = ANY($2::text[])
         AND (is_system OR EXISTS (SELECT 1 FROM role_grant WHERE role_grant.role_id = role.id))`,
      [scope, names],
    );
    return rows.map(({ name }) => name);
  }

  async update(id: string, change: Pick<Role, 'name' | 'description' | 'mfaRequired'>): Promise<void> {
    await this.roles.update({ id }, { ...change, updatedAt: () => 'now()' });
  }

  async delete(id: string): Promise<void> {
    await this.roles.delete({ id });
  }

  /** Inserts a system role unless a role has its name. Raw SQL for ON CONFLICT on that one constraint. */
  async insertSystemRole(scope: string, { name, description }: SystemRole): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO role (id, scope, name, description, is_system) VALUES ($1, $2, $3, $4, true)
       ON CONFLICT ON CONSTRAINT role_name_unique DO NOTHING`,
      [newId(), scope, name, description],
    );
  }
}
