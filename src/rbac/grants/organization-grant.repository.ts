import { Injectable } from '@nestjs/common';
import { BatchedLookup, readByPair, Transactions } from '../../platform/database';
import { SourcedGrant } from '../permission/effective-grants';
import {
  grantsOfGroups,
  grantsOfRole,
  readGrants,
  sourcedGrants,
  SourcedGrantRow,
  StoredGrant,
} from './grant.repository';
import { Grant } from '../permission';
import { countsIn } from './role-place';

/** A user and an organization. */
export interface OrganizationUser {
  readonly userId: string;
  readonly organizationId: string;
}

/** What a user holds in one organization, without the grants that hold everywhere. */
export interface OrganizationGrants {
  readonly grants: readonly Grant[];
  readonly isMember: boolean;
  /** Whether there is such an organization. */
  readonly exists: boolean;
  /** Whether the organization requires a second factor of its members, or one of the user's roles there does. */
  readonly demandsSecondFactor: boolean;
  /** The login methods that the organization accepts from this member. Undefined: all. */
  readonly acceptedLogins: ReadonlySet<string> | undefined;
}

const ACCEPTS = 'accepts ';

/** `accepts` and a login method: one row for each that the organization accepts. */
type Fact = 'member' | 'organization' | 'second_factor' | `${typeof ACCEPTS}${string}`;

/** A grant, or a row without a scope that says what the user and the organization are. */
type Row = StoredGrant | { readonly scope: null; readonly permissionId: Fact };

type OrganizationRow = StoredGrant & Pick<OrganizationUser, 'organizationId'>;

interface SourcedRow extends SourcedGrantRow {
  readonly slug: string;
  readonly name: string;
}

/** OFFSET 0 prevents full table scans, as in the query of grants that hold everywhere. */
const heldBy = (user: string, organization: string): string =>
  `WITH member AS MATERIALIZED (
     SELECT user_id FROM organization_member WHERE organization_id = ${organization} AND user_id = ${user}
   ), assigned AS MATERIALIZED (
     SELECT role_id FROM organization_member_role WHERE organization_id = ${organization} AND user_id = ${user}
     UNION
     SELECT given.role_id FROM member JOIN user_group_member ON user_group_member.user_id = member.user_id,
       LATERAL (SELECT path, organization_id FROM user_group WHERE user_group.id = user_group_member.group_id OFFSET 0) AS joined,
       LATERAL unnest(joined.path) AS holding (id),
       LATERAL (SELECT role_id FROM user_group_role WHERE user_group_role.group_id = holding.id OFFSET 0) AS given
     WHERE joined.organization_id = ${organization}
   ), held AS MATERIALIZED (
     SELECT role_id, mfa_required FROM assigned,
       LATERAL (SELECT mfa_required, organization_id FROM role WHERE role.id = assigned.role_id OFFSET 0) AS role
     WHERE ${countsIn(organization)})
   SELECT scope, permission_id AS "permissionId", level FROM organization_member_grant
   WHERE organization_id = ${organization} AND user_id = ${user}
   UNION
   SELECT given.scope, given.permission_id, given.level
   FROM held, LATERAL (SELECT * FROM role_grant WHERE role_grant.role_id = held.role_id OFFSET 0) AS given`;

/** Prepared and batched, because every request within an organization runs it. */
const OF_MEMBER = readByPair(
  (user, organization) =>
    `${heldBy(user, organization)}
     UNION ALL SELECT NULL, 'member', NULL FROM member
     UNION ALL SELECT NULL, 'organization', NULL FROM organization WHERE id = ${organization}
     UNION ALL SELECT NULL, 'second_factor', NULL WHERE EXISTS (SELECT 1 FROM held WHERE mfa_required) OR EXISTS (
       SELECT 1 FROM member, organization WHERE organization.id = ${organization} AND organization.mfa_required)
     UNION ALL SELECT NULL, '${ACCEPTS}' || method, NULL
     FROM member, LATERAL (SELECT settings FROM organization WHERE organization.id = ${organization} OFFSET 0) AS own,
       LATERAL jsonb_array_elements_text(own.settings -> 'login_methods') AS method`,
);

/** Of several users, in each of their organizations or in one. Each grant only once. */
const BY_ORGANIZATION = `WITH member AS MATERIALIZED (
    SELECT organization_id, user_id FROM organization_member
    WHERE user_id = ANY($1::uuid[]) AND ($2::uuid IS NULL OR organization_id = $2)
  ), assigned AS MATERIALIZED (
    SELECT member.organization_id, given.role_id FROM member,
      LATERAL (SELECT role_id FROM organization_member_role AS given
        WHERE given.organization_id = member.organization_id AND given.user_id = member.user_id OFFSET 0) AS given
    UNION
    SELECT member.organization_id, given.role_id
    FROM member JOIN user_group_member ON user_group_member.user_id = member.user_id,
      LATERAL (SELECT path, organization_id FROM user_group
        WHERE user_group.id = user_group_member.group_id OFFSET 0) AS joined,
      LATERAL unnest(joined.path) AS holding (id),
      LATERAL (SELECT role_id FROM user_group_role WHERE user_group_role.group_id = holding.id OFFSET 0) AS given
    WHERE joined.organization_id = member.organization_id
  ), held AS MATERIALIZED (
    SELECT assigned.organization_id, role_id FROM assigned,
      LATERAL (SELECT organization_id FROM role WHERE role.id = assigned.role_id OFFSET 0) AS role
    WHERE ${countsIn('assigned.organization_id')})
  SELECT member.organization_id AS "organizationId", given.scope, given.permission_id AS "permissionId", given.level
  FROM member, LATERAL (SELECT scope, permission_id, level FROM organization_member_grant AS given
    WHERE given.organization_id = member.organization_id AND given.user_id = member.user_id OFFSET 0) AS given
  UNION
  SELECT held.organization_id, given.scope, given.permission_id, given.level
  FROM held, LATERAL (SELECT * FROM role_grant WHERE role_grant.role_id = held.role_id OFFSET 0) AS given`;

/** What a member holds there only, one row per source. Prepared and batched, as in the query of grants that hold everywhere. */
const SOURCED = readByPair(
  (user, organization) =>
    `SELECT found.*, organization.slug, organization.name
     FROM (
       SELECT scope, permission_id AS "permissionId", level, NULL::varchar AS role, NULL::varchar AS "group",
         NULL::text AS path
       FROM organization_member_grant WHERE organization_id = ${organization} AND user_id = ${user}
       UNION ALL
       SELECT given.scope, given.permission_id, given.level, held.name, NULL, NULL
       FROM organization_member_role, ${grantsOfRole('organization_member_role.role_id', organization)}
       WHERE organization_member_role.organization_id = ${organization} AND organization_member_role.user_id = ${user}
       UNION ALL
       SELECT given.scope, given.permission_id, given.level, held.name, holding.name, joined.names
       FROM (SELECT user_id FROM organization_member WHERE organization_id = ${organization} AND user_id = ${user} OFFSET 0)
         AS member
       JOIN user_group_member ON user_group_member.user_id = member.user_id,
       ${grantsOfGroups}
       WHERE joined.organization_id = ${organization}
     ) AS found, (SELECT slug, name FROM organization WHERE id = ${organization} OFFSET 0) AS organization`,
);

/** The grants that members hold in one organization only: direct ones, and those of roles of members and of groups. */
@Injectable()
export class OrganizationGrantRepository {
  private readonly ofOne: BatchedLookup<Row>;
  private readonly sourced: BatchedLookup<SourcedRow>;

  constructor(private readonly transactions: Transactions) {
    this.ofOne = new BatchedLookup(transactions, OF_MEMBER);
    this.sourced = new BatchedLookup(transactions, SOURCED);
  }

  async ofMember({ userId, organizationId }: OrganizationUser): Promise<OrganizationGrants> {
    const rows = await this.ofOne.rows(userId, organizationId);
    const says = (what: Fact): boolean => rows.some((row) => row.scope === null && row.permissionId === what);
    return {
      grants: readGrants(rows.filter((row): row is StoredGrant => row.scope !== null)),
      isMember: says('member'),
      exists: says('organization'),
      demandsSecondFactor: says('second_factor'),
      acceptedLogins: acceptedIn(rows),
    };
  }

  /**
   * What the users hold in their organizations only, by the organization's id; no entry without grants.
   * @param organizationId leaves out all others
   */
  async byOrganization(userIds: readonly string[], organizationId?: string): Promise<Map<string, Grant[]>> {
    const values = [userIds, organizationId ?? null];
    return byOrganizationId(await this.transactions.rows<OrganizationRow>(BY_ORGANIZATION, values));
  }

  /** The user's direct grants in organizations, by the organization's id in order. Raw SQL to begin with the memberships. */
  async direct(userId: string): Promise<Map<string, Grant[]>> {
    return byOrganizationId(
      await this.transactions.rows<OrganizationRow>(
        `SELECT organization_id AS "organizationId", scope, permission_id AS "permissionId", level
         FROM organization_member JOIN organization_member_grant USING (organization_id, user_id)
         WHERE user_id = $1 ORDER BY organization_id`,
        [userId],
      ),
    );
  }

  /**
   * Replaces the member's direct grants in each of the organizations. Raw SQL to write only the difference in one
   * statement.
   */
  async replaceDirect(userId: string, grants: ReadonlyMap<string, readonly Grant[]>): Promise<void> {
    const wanted = [...grants].flatMap(([organizationId, held]) =>
      held.map(({ scope, permissionId, level }) => ({
        organization_id: organizationId,
        scope,
        permission_id: permissionId,
        level,
      })),
    );
    await this.transactions.rows(
      `WITH wanted AS (
         SELECT * FROM jsonb_to_recordset($3::jsonb)
           AS wanted (organization_id uuid, scope varchar, permission_id varchar, level smallint)
       ), removed AS (
         DELETE FROM organization_member_grant AS held WHERE user_id = $1 AND organization_id = ANY($2::uuid[])
           AND NOT EXISTS (SELECT 1 FROM wanted WHERE wanted.organization_id = held.organization_id
             AND wanted.scope = held.scope AND wanted.permission_id = held.permission_id)
       )
       INSERT INTO organization_member_grant (organization_id, user_id, scope, permission_id, level)
       SELECT organization_id, $1, scope, permission_id, level FROM wanted
       ON CONFLICT (organization_id, user_id, scope, permission_id) DO UPDATE SET level = excluded.level
       WHERE organization_member_grant.level <> excluded.level`,
      [userId, [...grants.keys()], JSON.stringify(wanted)],
    );
  }

  /** What any member holds there, or would hold as a member of a group or with a role of it. Raw SQL for a union of tables. */
  async ofOrganization(organizationId: string): Promise<Grant[]> {
    return readGrants(
      await this.transactions.rows<StoredGrant>(
        `SELECT scope, permission_id AS "permissionId", level FROM organization_member_grant WHERE organization_id = $1
         UNION
         SELECT scope, permission_id, level FROM role_grant WHERE role_id IN (
           SELECT role_id FROM organization_member_role WHERE organization_id = $1
           UNION
           SELECT role_id FROM user_group_role JOIN user_group ON user_group.id = user_group_role.group_id
           WHERE user_group.organization_id = $1
           UNION
           SELECT id FROM role WHERE organization_id = $1)`,
        [organizationId],
      ),
    );
  }

  /** One row per source, not merged. */
  async withSources(pair: OrganizationUser): Promise<SourcedGrant[]> {
    const rows = await this.sourced.rows(pair.userId, pair.organizationId);
    return rows.flatMap((row) => sourcedOf(row, pair));
  }
}

function acceptedIn(rows: readonly Row[]): ReadonlySet<string> | undefined {
  const accepted = rows.flatMap(({ scope, permissionId }) =>
    scope === null && permissionId.startsWith(ACCEPTS) ? [permissionId.slice(ACCEPTS.length)] : [],
  );
  return accepted.length === 0 ? undefined : new Set(accepted);
}

function byOrganizationId(rows: readonly OrganizationRow[]): Map<string, Grant[]> {
  const grants = new Map<string, Grant[]>();
  for (const row of rows) {
    const known = grants.get(row.organizationId);
    if (known) known.push(...readGrants([row]));
    else grants.set(row.organizationId, readGrants([row]));
  }
  return grants;
}

function sourcedOf({ slug, name, ...row }: SourcedRow, { organizationId: id }: OrganizationUser): SourcedGrant[] {
  const organization = { id, slug, name };
  return sourcedGrants(row).map((grant) => ({ ...grant, organization }));
}
