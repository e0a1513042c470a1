import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, Repository } from 'typeorm';
import { newId } from '../../platform/crypto';
import { CASTELLAN, preparedStatement, Transactions } from '../../platform/database';
import { CountEstimateRepository, Page, Total } from '../../platform/lists';
import { ROLE_NAME_SQL, storedRoleName } from './qualified-name';
import { Role } from './role.entity';
import { SystemRole } from './system-roles';

/** A role of a user, and the number of roles that the user has. */
export interface RoleOfUser extends Pick<Role, 'id' | 'scope' | 'name'> {
  readonly userId: string;
  readonly total: number;
}

/** A role with the organization in which it is held; null: everywhere. */
export interface RoleHeldIn extends Pick<Role, 'id' | 'scope' | 'name'> {
  readonly heldIn: string | null;
}

export interface RoleFilter {
  /** Null: the roles of the service. */
  readonly organizationId: string | null;
  readonly scope?: string | undefined;
  /** Part of a name, ignoring case. */
  readonly keyword?: string | undefined;
}

/** What names a role. */
export type RoleName = Pick<Role, 'scope' | 'name' | 'organizationId'>;

/** Separate conditions, so that each can use the index. */
const placeOf = ({ organizationId }: RoleFilter): string =>
  organizationId === null ? 'organization_id IS NULL AND $3::uuid IS NULL' : 'organization_id = $3';

const matching = (filter: RoleFilter): string => `${placeOf(filter)}
  AND ($1::varchar IS NULL OR scope = $1) AND ($2::varchar IS NULL OR position(lower($2) IN lower(${ROLE_NAME_SQL})) > 0)`;

const valuesOf = ({ scope, keyword, organizationId }: RoleFilter): (string | null)[] => [
  scope ?? null,
  keyword ?? null,
  organizationId,
];

const COLUMNS = `id, scope, ${ROLE_NAME_SQL} AS name, description, organization_id AS "organizationId", is_system AS "isSystem", mfa_required AS "mfaRequired", created_at AS "createdAt", updated_at AS "updatedAt"`;
/** The same order on every server, whatever its locale. Raw SQL, because TypeORM cannot order by collation. */
const ORDER = `ORDER BY scope COLLATE "C", name COLLATE "C"`;
/** False for all if the values are NULL. */
const isAfter = (scope: string, name: string): string =>
  `(scope COLLATE "C", name COLLATE "C") > (${scope}::varchar, ${name}::varchar)`;
/** Before all roles. */
const START = { scope: '', name: '' };

/** Prepared because every registration runs it. `of_service` keeps the plan off the index in the order of lists. */
const HOLD = preparedStatement(`SELECT ${COLUMNS} FROM role
  WHERE scope = $1 AND name = $2 AND of_service FOR KEY SHARE`);

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

  /** A role of the service. */
  findByName(scope: string, name: string): Promise<Role | null> {
    return this.roles.findOneBy({ scope, name, organizationId: IsNull() });
  }

  isTaken({ scope, name, organizationId }: RoleName): Promise<boolean> {
    const stored = storedRoleName(name, organizationId);
    return this.roles.existsBy({ scope, name: stored, organizationId: organizationId ?? IsNull() });
  }

  /**
   * The roles of the service with the scope and the name at the same index, in no particular order. Blocks renaming and deleting them
   * until the transaction ends. Raw SQL for the pairs and the lock.
   */
  holdByNames(scopes: readonly string[], names: readonly string[]): Promise<Pick<Role, 'id' | 'scope' | 'name'>[]> {
    return this.transactions.rows(
      `SELECT role.id, role.scope, role.name FROM role
       JOIN (SELECT DISTINCT scope, name FROM unnest($1::text[], $2::text[]) AS given (scope, name)) AS wanted
         ON wanted.scope = role.scope AND wanted.name = role.name
       WHERE role.organization_id IS NULL FOR KEY SHARE OF role`,
      [scopes, names],
    );
  }

  /** Same as `findByName`, and blocks renaming and deleting the role until the transaction ends. */
  holdByName(scope: string, name: string): Promise<Role | null> {
    return this.transactions.rows<Role>(HOLD, [scope, name]).then(([role]) => role ?? null);
  }

  /** By scope, then name. Raw SQL for the order. */
  list(filter: RoleFilter, { limit, offset }: Page): Promise<Role[]> {
    return this.transactions.manager.query(
      `SELECT ${COLUMNS} FROM role WHERE ${matching(filter)} ${ORDER} LIMIT $4 OFFSET $5`,
      [...valuesOf(filter), limit, offset],
    );
  }

  /**
   * Roles that members of the organization may have, without system roles: those of the organization first, then by scope
   * and name. Raw SQL for the order, and to read no more than a page of the service's roles.
   */
  listGivable(organizationId: string, limit: number, after?: RoleName): Promise<Role[]> {
    const [own, ofService] = after?.organizationId === null ? [undefined, after] : [after ?? START, START];
    const values = [own?.scope, own && storedRoleName(own.name, organizationId), ofService.scope, ofService.name];
    return this.transactions.rows(
      `SELECT * FROM (
         (SELECT ${COLUMNS} FROM role WHERE organization_id = $1 AND ${isAfter('$2', '$3')} ${ORDER} LIMIT $6)
         UNION ALL
         (SELECT ${COLUMNS} FROM role WHERE organization_id IS NULL AND NOT is_system AND ${isAfter('$4', '$5')}
          ${ORDER} LIMIT $6)
       ) AS given ORDER BY "organizationId" IS NULL, scope COLLATE "C", name COLLATE "C" LIMIT $6`,
      [organizationId, ...values, limit],
    );
  }

  /** Raw SQL, because `CountEstimateRepository` counts a statement. */
  count(filter: RoleFilter): Promise<Total> {
    return this.totals.count(`SELECT 1 FROM role WHERE ${matching(filter)}`, valuesOf(filter));
  }

  /** Exact. */
  countOfOrganization(organizationId: string): Promise<number> {
    return this.roles.countBy({ organizationId });
  }

  /** The roles that exist, in no particular order. */
  findByIds(ids: readonly string[]): Promise<Role[]> {
    return this.roles.findBy({ id: Any(ids) });
  }

  /** Of the roles of the service and of the organization, in no particular order. Null: only of the service. */
  findWithin(organizationId: string | null, ids: readonly string[]): Promise<Role[]> {
    const ofService = { id: Any(ids), organizationId: IsNull() };
    return this.roles.findBy(organizationId === null ? ofService : [ofService, { id: Any(ids), organizationId }]);
  }

  /** The roles given to the user everywhere, by scope, then name. Raw SQL for the order. */
  ofUser(userId: string): Promise<Role[]> {
    return this.transactions.manager.query(
      `SELECT ${COLUMNS} FROM role WHERE id IN (SELECT role_id FROM user_role WHERE user_id = $1)
         AND organization_id IS NULL ${ORDER}`,
      [userId],
    );
  }

  /** The roles given to the member of an organization there, by scope, then name. Raw SQL for the order. */
  ofMember(organizationId: string, userId: string): Promise<Role[]> {
    return this.transactions.manager.query(
      `SELECT ${COLUMNS} FROM role WHERE id IN (
         SELECT role_id FROM organization_member_role WHERE organization_id = $1 AND user_id = $2)
       ORDER BY scope COLLATE "C", ${ROLE_NAME_SQL} COLLATE "C"`,
      [organizationId, userId],
    );
  }

  /**
   * The roles given to each of the users everywhere, by scope, then name, at most `limit` each, and how many they are. A limit of
   * null is none. Raw SQL for the limit.
   */
  ofUsers(userIds: readonly string[], limit: number | null): Promise<RoleOfUser[]> {
    return this.transactions.rows(
      `SELECT wanted.id AS "userId", held.* FROM unnest($1::uuid[]) AS wanted (id), LATERAL (
         SELECT role.id, scope, name, (count(*) OVER ())::int AS total FROM user_role JOIN role ON role.id = user_role.role_id
         WHERE user_role.user_id = wanted.id AND role.organization_id IS NULL ${ORDER} LIMIT $2) AS held
       ${ORDER}`,
      [userIds, limit],
    );
  }

  /** The roles that the user holds everywhere, also through groups, by scope, then name. Raw SQL for paths and the order. */
  heldBy(userId: string): Promise<Role[]> {
    return this.transactions.rows(
      `SELECT ${COLUMNS} FROM role WHERE organization_id IS NULL AND id IN (
         SELECT role_id FROM user_role WHERE user_id = $1
         UNION
         SELECT user_group_role.role_id FROM user_group_member
         JOIN user_group ON user_group.id = user_group_member.group_id
         JOIN user_group_role ON user_group_role.group_id = ANY(user_group.path)
         WHERE user_group_member.user_id = $1 AND user_group.organization_id IS NULL) ${ORDER}`,
      [userId],
    );
  }

  /**
   * The roles that the user holds everywhere or in an organization, also through groups. Raw SQL for paths. Pending members
   * hold none.
   */
  heldAnywhereBy(userId: string): Promise<RoleHeldIn[]> {
    return this.transactions.rows(
      `SELECT role.id, scope, role.name, held.organization_id AS "heldIn" FROM (
         SELECT NULL::uuid AS organization_id, role_id FROM user_role WHERE user_id = $1
         UNION
         SELECT organization_id, role_id FROM organization_member_role WHERE user_id = $1
         UNION
         SELECT user_group.organization_id, user_group_role.role_id FROM user_group_member
         JOIN user_group ON user_group.id = user_group_member.group_id
         JOIN user_group_role ON user_group_role.group_id = ANY(user_group.path)
         WHERE user_group_member.user_id = $1) AS held
       JOIN role ON role.id = held.role_id`,
      [userId],
    );
  }

  async insert(role: Pick<Role, 'id' | 'description' | 'mfaRequired'> & RoleName): Promise<void> {
    const { name, organizationId } = role;
    const ofService = organizationId === null;
    await this.roles.insert({ ...role, name: storedRoleName(name, organizationId), ofService });
  }

  /**
   * Inserts the names that are not yet roles of the service in the scope and returns the new roles. Raw SQL for a batch with ON
   * CONFLICT.
   */
  async insertMissing(scope: string, names: readonly string[]): Promise<Pick<Role, 'id' | 'name'>[]> {
    return this.transactions.manager.query(
      `INSERT INTO role (id, scope, name) SELECT id, $1, name FROM unnest($2::uuid[], $3::text[]) AS wanted (id, name)
       ON CONFLICT ON CONSTRAINT role_name_unique DO NOTHING RETURNING id, name`,
      [scope, names.map(newId), names],
    );
  }

  /** Of the names, the service's roles of the scope without grants. Raw SQL for NOT EXISTS in another table. */
  findPowerless(scope: string, names: readonly string[]): Promise<Pick<Role, 'id' | 'name'>[]> {
    return this.transactions.manager.query(
      `SELECT id, name FROM role WHERE scope = $1 AND name = ANY($2::text[]) AND organization_id IS NULL AND NOT is_system
         AND NOT EXISTS (SELECT 1 FROM role_grant WHERE role_grant.role_id = role.id)`,
      [scope, names],
    );
  }

  /** The service's roles of any scope that have one of the names, ignoring case, and are no system roles. Raw SQL for lower(). */
  findCustom(names: readonly string[], limit: number): Promise<Pick<Role, 'scope' | 'name'>[]> {
    return this.transactions.manager.query(
      `SELECT scope, name FROM role WHERE lower(name) = ANY($1::text[]) AND organization_id IS NULL AND NOT is_system
       ORDER BY scope, name LIMIT $2`,
      [names, limit],
    );
  }

  /** Of the names, the service's system roles of the scope and its roles with grants. Raw SQL for EXISTS in another table. */
  async findPermitting(scope: string, names: readonly string[]): Promise<string[]> {
    const rows = await this.transactions.rows<{ name: string }>(
      `SELECT name FROM role WHERE scope = $1 AND name = ANY($2::text[]) AND organization_id IS NULL
         AND (is_system OR EXISTS (SELECT 1 FROM role_grant WHERE role_grant.role_id = role.id))`,
      [scope, names],
    );
    return rows.map(({ name }) => name);
  }

  async update(
    { id, organizationId }: Pick<Role, 'id' | 'organizationId'>,
    { name, ...others }: Pick<Role, 'name' | 'description' | 'mfaRequired'>,
  ): Promise<void> {
    const change = { ...others, name: storedRoleName(name, organizationId), updatedAt: () => 'now()' };
    await this.roles.update({ id }, change);
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
