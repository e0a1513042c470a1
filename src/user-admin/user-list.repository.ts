import { Injectable } from '@nestjs/common';
import { Replicas } from '../platform/database';
import { CountEstimateRepository, Page, Position, CursorPage, Total } from '../platform/lists';
import { UserView, literalPrefix, SEARCH_SEGMENT_SIZE, UserStatus } from '../users';

export interface Keyword {
  /** The prefix of a username, nickname or e-mail, ignoring case. */
  readonly text: string;
  /** The keyword in E.164, if it is a whole phone number. */
  readonly phone: string | undefined;
}

export interface UserFilter {
  readonly keyword: Keyword | undefined;
  readonly status: UserStatus | undefined;
  readonly roleId: string | undefined;
}

/** A listed user with the segment, which is part of its list position. */
export type ListedUser = UserView & { readonly segment: number };

/** The position and size of a list page. */
interface Reach {
  readonly after: Position | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** The conditions of a search: all of `always` and at least one of `matches`. */
interface Terms {
  readonly always: readonly string[];
  readonly matches: readonly string[];
}

const EVERY_STATUS: readonly UserStatus[] = ['active', 'disabled'];
/**
 * Up to this size the members of a role are checked one by one. A larger role narrows a search less than the keyword
 * does.
 */
const FEW_MEMBERS = 5_000;

const COLUMNS = `account.id, account.username, account.nickname, account.avatar, account.email,
  account.email_key AS "emailKey", account.email_verified AS "emailVerified", account.phone,
  account.phone_verified AS "phoneVerified", account.locale, account.status,
  account.password_hash IS NOT NULL AS "hasPassword", account.password_version AS "passwordVersion",
  account.must_change_password AS "mustChangePassword", account.created_at AS "createdAt",
  account.updated_at AS "updatedAt", account.last_login_at AS "lastLoginAt"`;

/** The position of a user in every list of this repository. */
export const positionOf = ({ segment, id }: ListedUser): Position => [String(segment), id];

/** The parameters of one statement, collected while its text is built. */
class Values {
  readonly list: unknown[] = [];

  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/**
 * Lists users newest first, through indexes only, however many there are. Without a keyword it orders by id, because
 * ids rise with time. A keyword search walks the segments, which hold users in order of creation. Raw SQL, because each
 * statement is shaped by its indexes.
 */
@Injectable()
export class UserListRepository {
  constructor(
    private readonly replicas: Replicas,
    private readonly totals: CountEstimateRepository,
  ) {}

  page(filter: UserFilter, { limit, offset }: Page): Promise<ListedUser[]> {
    return this.list(filter, { after: undefined, limit, offset });
  }

  cursorPage(filter: UserFilter, { limit, after }: CursorPage): Promise<ListedUser[]> {
    return this.list(filter, { after, limit, offset: 0 });
  }

  async count(filter: UserFilter): Promise<Total> {
    const values = new Values();
    if (!filter.keyword) return this.totals.about(`SELECT 1 FROM ${plain(filter, values)}`, values.list);
    const few = await this.hasFewMembers(filter.roleId);
    const terms = termsOf(filter, filter.keyword, few, values);
    const everywhere = `SELECT 1 FROM ${anywhere(terms)}`;
    if (few) return this.totals.about(everywhere, values.list);
    const bySegment = `SELECT 1 FROM ${segments()} CROSS JOIN LATERAL (${matchesOf(terms)}) AS found`;
    return this.totals.about(bySegment, values.list, everywhere);
  }

  private async list(filter: UserFilter, reach: Reach): Promise<ListedUser[]> {
    const { keyword, roleId } = filter;
    const values = new Values();
    if (!keyword) return this.fetch(newestFirst(filter, reach, values), 'found.id DESC', values);
    const few = await this.hasFewMembers(roleId);
    const terms = termsOf(filter, keyword, few, values);
    const found = few ? amongFew(terms, reach, values) : throughSegments(terms, reach, values);
    return this.fetch(found, 'found.segment DESC, found.id DESC', values);
  }

  private fetch(found: string, order: string, values: Values): Promise<ListedUser[]> {
    const sql = `SELECT ${COLUMNS}, found.segment FROM (${found}) AS found JOIN user_account AS account ON account.id = found.id
       ORDER BY ${order}`;
    return this.replicas.read((manager) => manager.query(sql, values.list));
  }

  private async hasFewMembers(roleId: string | undefined): Promise<boolean> {
    if (roleId === undefined) return false;
    const sql = `SELECT 1 FROM user_role WHERE role_id = $1 OFFSET ${FEW_MEMBERS} LIMIT 1`;
    const members = await this.replicas.read((manager) => manager.query<unknown[]>(sql, [roleId]));
    return members.length === 0;
  }
}

/** All users that match the filter, without a keyword. */
function plain({ status, roleId }: UserFilter, values: Values, after?: Position): string {
  const isOfRole = roleId !== undefined;
  const conditions = [
    ...(isOfRole ? [`member.role_id = ${values.add(roleId)}`] : []),
    ...(status === undefined ? [] : [`account.status = ${values.add(status)}`]),
    ...(after ? reached(values.add(after[1]), isOfRole) : []),
  ];
  const members = isOfRole ? 'JOIN user_role AS member ON member.user_id = account.id' : '';
  return `user_account AS account ${members} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}`;
}

/** Bounds both tables, because the planner does not derive one bound from the other. */
function reached(id: string, isOfRole: boolean): string[] {
  return [`account.id < ${id}`, ...(isOfRole ? [`member.user_id < ${id}`] : [])];
}

function newestFirst(filter: UserFilter, { after, limit, offset }: Reach, values: Values): string {
  return `SELECT account.id, account.search_segment AS segment FROM ${plain(filter, values, after)}
    ORDER BY ${filter.roleId === undefined ? 'account.id' : 'member.user_id'} DESC
    LIMIT ${values.add(limit)} OFFSET ${values.add(offset)}`;
}

function termsOf({ status, roleId }: UserFilter, keyword: Keyword, few: boolean, values: Values): Terms {
  // Every search index starts with the status.
  const always = [`account.status = ANY(${values.add(status ? [status] : EVERY_STATUS)}::varchar[])`];
  if (roleId !== undefined) always.push(ofRole(values.add(roleId), few));
  // Both sides use the database's functions, because its case rules follow its locale, not JavaScript's.
  const prefix = values.add(literalPrefix(keyword.text));
  const matches = [
    // upper() keeps the planner from the unique index on lower(), with which it would read all names for each segment.
    `upper(account.username) LIKE upper(${prefix} COLLATE "C")`,
    `lower(account.nickname) LIKE lower(${prefix})`,
    `lower(account.email) LIKE lower(${prefix})`,
  ];
  if (keyword.phone !== undefined) matches.push(`account.phone = ${values.add(keyword.phone)}`);
  return { always, matches };
}

function ofRole(roleId: string, few: boolean): string {
  return few
    ? `account.id = ANY(ARRAY(SELECT user_id FROM user_role WHERE role_id = ${roleId}))`
    : `EXISTS (SELECT 1 FROM user_role WHERE user_role.user_id = account.id AND user_role.role_id = ${roleId})`;
}

const anywhere = ({ always, matches }: Terms): string =>
  `user_account AS account WHERE ${always.join(' AND ')} AND (${matches.join(' OR ')})`;

function amongFew(terms: Terms, { after, limit, offset }: Reach, values: Values): string {
  const rest = after
    ? `AND (account.search_segment, account.id) < (${values.add(after[0])}, ${values.add(after[1])})`
    : '';
  return `SELECT account.id, account.search_segment AS segment FROM ${anywhere(terms)} ${rest}
    ORDER BY segment DESC, id DESC LIMIT ${values.add(limit)} OFFSET ${values.add(offset)}`;
}

/** All segments, or those from `first` on, newest first. */
function segments(
  first = `(SELECT (last_value / ${SEARCH_SEGMENT_SIZE})::int FROM user_account_search_segment_seq)`,
): string {
  return `(SELECT generate_series(${first}, 0, -1) AS number ORDER BY number DESC) AS segment`;
}

/** The matching users of one segment, without duplicates. */
const matchesOf = ({ always, matches }: Terms): string =>
  matches
    .map(
      (match) => `SELECT account.id FROM user_account AS account
        WHERE account.search_segment = segment.number AND ${always.join(' AND ')} AND ${match}`,
    )
    .join(' UNION ');

/**
 * Searches segment by segment, no further than needed. Orders by the segment only, which is the order of the join's
 * outer side, so nothing is sorted and the users of each segment keep their order. Sorting by id as well would make the
 * database read the whole next segment.
 */
function throughSegments(terms: Terms, { after, limit, offset }: Reach, values: Values): string {
  const first = after && `${values.add(after[0])}::int`;
  const rest = after ? `WHERE segment.number < ${first} OR id < ${values.add(after[1])}` : '';
  const max = values.add(limit + offset);
  return `SELECT found.id, segment.number AS segment FROM ${segments(first)}
    CROSS JOIN LATERAL (
      SELECT id FROM (${matchesOf(terms)}) AS matches ${rest} ORDER BY id DESC LIMIT ${max}) AS found
    ORDER BY segment.number DESC LIMIT ${values.add(limit)} OFFSET ${values.add(offset)}`;
}
