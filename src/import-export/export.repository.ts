import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';

/** A user as one line of the export. Times are in RFC 3339, UTC. */
export interface ExportedUser {
  readonly id: string;
  readonly username: string;
  /** Only on request. */
  readonly password_hash?: string | null;
  readonly [member: string]: unknown;
}

/** Formats a timestamp like JSON.stringify does with a Date. */
const moment = (column: string): string =>
  `to_char(account.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column}`;

const ROLES = `coalesce((SELECT json_agg(json_build_object('scope', role.scope, 'name', role.name) ORDER BY role.scope, role.name)
    FROM user_role JOIN role ON role.id = user_role.role_id WHERE user_role.user_id = account.id), '[]') AS roles`;

/** Without groups of organizations, which an import would make groups of the service. */
const GROUPS = `coalesce((SELECT json_agg(joined.path ORDER BY joined.path) FROM (
      SELECT (
        SELECT '/' || string_agg(step.name, '/' ORDER BY way.place)
        FROM unnest(user_group.path) WITH ORDINALITY AS way (id, place) JOIN user_group AS step ON step.id = way.id
      ) AS path
      FROM user_group_member JOIN user_group ON user_group.id = user_group_member.group_id
      WHERE user_group_member.user_id = account.id AND user_group.organization_id IS NULL) AS joined), '[]') AS groups`;

/** With what the user holds there only, and without roles of the organization, which look like those of the service. */
const ORGANIZATIONS = `coalesce((SELECT json_agg(json_build_object('id', organization.id, 'slug', organization.slug,
      'name', organization.name,
      'roles', coalesce((SELECT json_agg(json_build_object('scope', role.scope, 'name', role.name) ORDER BY role.scope, role.name)
        FROM organization_member_role AS given JOIN role ON role.id = given.role_id
        WHERE given.organization_id = member.organization_id AND given.user_id = member.user_id
          AND role.organization_id IS NULL), '[]'),
      'permissions', coalesce((SELECT json_agg(json_build_object('scope', scope, 'permission_id', permission_id, 'level', level)
        ORDER BY scope, permission_id) FROM organization_member_grant AS given
        WHERE given.organization_id = member.organization_id AND given.user_id = member.user_id), '[]'))
      ORDER BY organization.slug)
    FROM organization_member AS member JOIN organization ON organization.id = member.organization_id
    WHERE member.user_id = account.id), '[]') AS organizations`;

const PERMISSIONS = `coalesce((SELECT json_agg(json_build_object('scope', scope, 'permission_id', permission_id, 'level', level)
      ORDER BY scope, permission_id) FROM user_grant WHERE user_grant.user_id = account.id), '[]') AS permissions`;

const IDENTITIES = `coalesce((SELECT json_agg(json_build_object('id', identity.id, 'provider', identity.provider_name, 'issuer', subject.issuer,
      'claim', subject.claim, 'subject', subject.subject) ORDER BY identity.linked_at, identity.id, subject.claim)
    FROM user_identity AS identity JOIN user_identity_subject AS subject ON subject.identity_id = identity.id
    WHERE identity.user_id = account.id), '[]') AS identities`;

/** Without those of deleted attributes, which are kept for a day. */
const ATTRIBUTES = `coalesce((SELECT jsonb_object_agg(name, account.attributes -> name) FROM user_attribute
    WHERE deleted_at IS NULL AND account.attributes ? name), '{}') AS attributes`;

const COLUMNS = `account.id, account.username, account.former_username, account.nickname, account.avatar, account.email, account.email_verified,
  account.phone, account.phone_verified, account.locale, account.status, account.must_change_password,
  account.terms_version, ${moment('terms_accepted_at')}, ${moment('created_at')}, ${moment('updated_at')}, ${moment('last_login_at')}, ${ATTRIBUTES}, ${ROLES}, ${GROUPS}, ${ORGANIZATIONS}, ${PERMISSIONS}, ${IDENTITIES}`;

/** SQL, because one row joins the account with its roles, groups, organizations, permissions and identities of other features. */
@Injectable()
export class ExportRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The users after an id, ordered by id, at most `limit`. SQL: the database builds the JSON, so that a page is one
   * query.
   */
  list(after: string, limit: number, withPasswordHashes: boolean): Promise<ExportedUser[]> {
    const columns = withPasswordHashes ? `${COLUMNS}, account.password_hash` : COLUMNS;
    return this.transactions.manager.query(
      `SELECT ${columns} FROM user_account AS account WHERE account.id > $1 ORDER BY account.id LIMIT $2`,
      [after, limit],
    );
  }
}
