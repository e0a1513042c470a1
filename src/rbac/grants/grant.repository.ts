import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { Environment } from '../../platform/config';
import { CASTELLAN, readById, BatchedLookup, Transactions } from '../../platform/database';
import { SourcedGrant } from '../permission/effective-grants';
import { RoleGrant, UserGrant } from './grant.entities';
import { Grant, grantFrom } from '../permission';
import { countsIn } from './role-place';
import { ADMIN_ROLE } from './system-roles';

export interface StoredGrant {
  readonly scope: string;
  readonly permissionId: string;
  readonly level: number;
}

/** A grant with its source; the role is null for a direct one, and the group unless the role comes from a group. */
export interface SourcedGrantRow extends StoredGrant {
  readonly role: string | null;
  readonly group: string | null;
  /** Names, separated by slashes, which no name has: the driver reads a text faster than an array. */
  readonly path: string | null;
}

/** A user's grants that hold everywhere, direct and from roles of the user and of groups. */
export interface EffectiveGrants {
  readonly grants: Grant[];
  /** Whether one of these roles requires a second factor. */
  readonly demandsSecondFactor: boolean;
}

/** A grant, or a row of NULLs that marks a required second factor. */
type StoredGrantRow = StoredGrant | { readonly scope: null };

/** Skips malformed rows, so they grant nothing. */
export function readGrants(rows: readonly StoredGrant[]): Grant[] {
  return rows.map((row) => grantFrom(row.scope, row.permissionId, row.level)).filter((grant) => grant !== undefined);
}

/**
 * Grants that hold everywhere, so without those of groups and roles of organizations. OFFSET 0 prevents full table scans,
 * because a cached plan outlives the few rows it was planned for.
 */
const heldBy = (condition: string): string =>
  `WITH assigned AS MATERIALIZED (
     SELECT role_id FROM user_role WHERE ${condition}
     UNION
     SELECT given.role_id FROM user_group_member,
       LATERAL (SELECT path, organization_id FROM user_group
         WHERE user_group.id = user_group_member.group_id OFFSET 0) AS joined,
       LATERAL unnest(joined.path) AS holding (id),
       LATERAL (SELECT role_id FROM user_group_role WHERE user_group_role.group_id = holding.id OFFSET 0) AS given
     WHERE ${condition} AND joined.organization_id IS NULL
   ), held AS MATERIALIZED (
     SELECT role_id, mfa_required FROM assigned,
       LATERAL (SELECT mfa_required, organization_id FROM role WHERE role.id = assigned.role_id OFFSET 0) AS role
     WHERE role.organization_id IS NULL)
   SELECT scope, permission_id AS "permissionId", level FROM user_grant WHERE ${condition}
   UNION
   SELECT given.scope, given.permission_id, given.level
   FROM held, LATERAL (SELECT * FROM role_grant WHERE role_grant.role_id = held.role_id OFFSET 0) AS given`;

const demandedOf = (condition: string): string =>
  `${heldBy(condition)}
   UNION ALL
   SELECT NULL, NULL, NULL WHERE EXISTS (SELECT 1 FROM held WHERE mfa_required)`;

/** Prepared and batched, because nearly every request runs it. */
const OF_USER = readById((id) => demandedOf(`user_id = ${id}`));
/** Raw SQL for several users at once, with each grant only once. */
const OF_USERS = heldBy('user_id = ANY($1::uuid[])');

/** SQL of the name and the grants of a role that counts in the organization, or with NULL everywhere. */
export const grantsOfRole = (roleId: string, organization: string): string =>
  `LATERAL (SELECT name FROM (SELECT name, organization_id FROM role WHERE role.id = ${roleId} OFFSET 0) AS role
     WHERE ${countsIn(organization)}) AS held,
   LATERAL (SELECT scope, permission_id, level FROM role_grant WHERE role_grant.role_id = ${roleId} OFFSET 0) AS given`;

/**
 * SQL of the grants that users have through the groups of their rows in `user_group_member`, with the group that has the role
 * and the path to the one that the user is a member of.
 */
export const grantsOfGroups = `LATERAL (SELECT path, organization_id, (
       SELECT string_agg(step.name, '/' ORDER BY way.place) FROM unnest(path) WITH ORDINALITY AS way (id, place),
         LATERAL (SELECT name FROM user_group AS step WHERE step.id = way.id OFFSET 0) AS step) AS names
     FROM user_group WHERE user_group.id = user_group_member.group_id OFFSET 0) AS joined,
   LATERAL unnest(joined.path) AS above (id),
   LATERAL (SELECT name FROM user_group WHERE user_group.id = above.id OFFSET 0) AS holding,
   LATERAL (SELECT role_id FROM user_group_role WHERE user_group_role.group_id = above.id OFFSET 0) AS role_of_group,
   ${grantsOfRole('role_of_group.role_id', 'joined.organization_id')}`;

/** One row per source. Prepared and batched, because every check with a reason runs it. */
const SOURCED = readById(
  (user) =>
    `SELECT scope, permission_id AS "permissionId", level, NULL::varchar AS role, NULL::varchar AS "group",
       NULL::text AS path
     FROM user_grant WHERE user_id = ${user}
     UNION ALL
     SELECT given.scope, given.permission_id, given.level, held.name, NULL, NULL
     FROM user_role, ${grantsOfRole('user_role.role_id', 'NULL::uuid')} WHERE user_role.user_id = ${user}
     UNION ALL
     SELECT given.scope, given.permission_id, given.level, held.name, holding.name, joined.names
     FROM user_group_member, ${grantsOfGroups}
     WHERE user_group_member.user_id = ${user} AND joined.organization_id IS NULL`,
);

/** The grants of users and roles. */
@Injectable()
export class GrantRepository {
  private readonly ofOne: BatchedLookup<StoredGrantRow>;
  private readonly sourced: BatchedLookup<SourcedGrantRow>;

  constructor(
    @InjectRepository(RoleGrant, CASTELLAN) private readonly roleGrants: Repository<RoleGrant>,
    @InjectRepository(UserGrant, CASTELLAN) private readonly userGrants: Repository<UserGrant>,
    private readonly environment: Environment,
    private readonly transactions: Transactions,
  ) {
    this.ofOne = new BatchedLookup(transactions, OF_USER);
    this.sourced = new BatchedLookup(transactions, SOURCED);
  }

  /**
   * Serializes changes of grants until the transaction ends, by locking the row of the role admin. Raw SQL for a lock
   * mode that does not block foreign keys and does not read the row.
   */
  async lock(): Promise<void> {
    await this.transactions.manager.query('SELECT 1 FROM role WHERE scope = $1 AND name = $2 FOR NO KEY UPDATE', [
      this.environment.serviceScope,
      ADMIN_ROLE,
    ]);
  }

  /** All grants of the user, direct and from roles. */
  async ofUser(userId: string): Promise<Grant[]> {
    return (await this.effectiveGrantsOf(userId)).grants;
  }

  async effectiveGrantsOf(userId: string): Promise<EffectiveGrants> {
    const rows = await this.ofOne.rows(userId);
    const grants = rows.filter((row): row is StoredGrant => row.scope !== null);
    return { grants: readGrants(grants), demandsSecondFactor: grants.length < rows.length };
  }

  /** All grants of any of the users, direct and from roles. */
  async ofUsers(userIds: readonly string[]): Promise<Grant[]> {
    return readGrants(await this.transactions.rows<StoredGrant>(OF_USERS, [userIds]));
  }

  async ofRoles(roleIds: readonly string[]): Promise<Grant[]> {
    const rows = await this.roleGrants
      .createQueryBuilder('given')
      .select('given.scope', 'scope')
      .addSelect('given.permissionId', 'permissionId')
      .addSelect('given.level', 'level')
      .distinct()
      .where({ roleId: Any(roleIds) })
      .getRawMany<StoredGrant>();
    return readGrants(rows);
  }

  async byRole(roleIds: readonly string[]): Promise<Map<string, Grant[]>> {
    const grants = new Map<string, Grant[]>();
    for (const row of await this.roleGrants.findBy({ roleId: Any(roleIds) })) {
      const known = grants.get(row.roleId);
      if (known) known.push(...readGrants([row]));
      else grants.set(row.roleId, readGrants([row]));
    }
    return grants;
  }

  async direct(userId: string): Promise<Grant[]> {
    return readGrants(await this.userGrants.findBy({ userId }));
  }

  async withSources(userId: string): Promise<SourcedGrant[]> {
    return (await this.withSourcesByUser([userId])).get(userId) ?? [];
  }

  /** Per user, one row per source, not merged; no entry for a user without grants. */
  async withSourcesByUser(userIds: readonly string[]): Promise<Map<string, SourcedGrant[]>> {
    const rows = await Promise.all(userIds.map((userId) => this.sourced.rows(userId)));
    const found = userIds.map((userId, place): [string, SourcedGrant[]] => [
      userId,
      rows[place]?.flatMap(sourcedGrants) ?? [],
    ]);
    return new Map(found.filter(([, grants]) => grants.length > 0));
  }

  /**
   * Replaces the role's grants and returns whether anything changed. Raw SQL to write only the difference in one
   * statement.
   */
  async replaceOfRole(roleId: string, grants: readonly StoredGrant[]): Promise<boolean> {
    const changed = await this.transactions.manager.query<unknown[]>(
      `WITH wanted AS (
         SELECT scope, permission_id, level FROM jsonb_to_recordset($2::jsonb)
           AS wanted (scope varchar, permission_id varchar, level smallint)
       ), removed AS (
         DELETE FROM role_grant WHERE role_id = $1
           AND NOT EXISTS (SELECT 1 FROM wanted WHERE wanted.scope = role_grant.scope AND wanted.permission_id = role_grant.permission_id)
         RETURNING 1
       ), written AS (
         INSERT INTO role_grant (role_id, scope, permission_id, level) SELECT $1, scope, permission_id, level FROM wanted
         ON CONFLICT (role_id, scope, permission_id) DO UPDATE SET level = excluded.level WHERE role_grant.level <> excluded.level
         RETURNING 1
       )
       SELECT 1 FROM removed UNION ALL SELECT 1 FROM written`,
      [roleId, recordset(grants)],
    );
    return changed.length > 0;
  }

  /** Replaces the user's direct grants. Raw SQL to write only the difference in one statement. */
  async replaceDirect(userId: string, grants: readonly StoredGrant[]): Promise<void> {
    await this.transactions.manager.query(
      `WITH wanted AS (
         SELECT scope, permission_id, level FROM jsonb_to_recordset($2::jsonb)
           AS wanted (scope varchar, permission_id varchar, level smallint)
       ), removed AS (
         DELETE FROM user_grant WHERE user_id = $1
           AND NOT EXISTS (SELECT 1 FROM wanted WHERE wanted.scope = user_grant.scope AND wanted.permission_id = user_grant.permission_id)
       )
       INSERT INTO user_grant (user_id, scope, permission_id, level) SELECT $1, scope, permission_id, level FROM wanted
       ON CONFLICT (user_id, scope, permission_id) DO UPDATE SET level = excluded.level WHERE user_grant.level <> excluded.level`,
      [userId, recordset(grants)],
    );
  }
}

/** The parsed grant of a row with its source; empty if the row is malformed. */
export function sourcedGrants({ role, group, path, ...row }: SourcedGrantRow): SourcedGrant[] {
  const through = group === null ? null : { name: group, path: path?.split('/') ?? [] };
  return readGrants([row]).map((grant) => ({ ...grant, role, group: through }));
}

/** For `jsonb_to_recordset`. */
export function recordset(grants: readonly StoredGrant[]): string {
  return JSON.stringify(
    grants.map(({ scope, permissionId, level }) => ({ scope, permission_id: permissionId, level })),
  );
}
