import { Injectable } from '@nestjs/common';
import { Replicas } from '../platform/database';
import { CountEstimateRepository, Page, Position, CursorPage, Total } from '../platform/lists';
import { orderOf, UserSort } from './user-order';
import { ENROLLED_USERS, isEnrolled } from '../mfa';
import { SearchedAttribute } from '../users/attributes';
import { formerUsernameKey, UserView, literalPart, literalPrefix, SEARCH_SEGMENT_SIZE, UserStatus } from '../users';

export interface Keyword {
  /**
   * A part of a username, nickname or e-mail, or the beginning of a former name, ignoring case. A single ASCII character is the first of one, because
   * almost every user has each letter somewhere.
   */
  readonly text: string;
  /** The keyword in E.164, if it is a whole phone number. */
  readonly phone: string | undefined;
}

export interface UserFilter {
  readonly keyword: Keyword | undefined;
  readonly status: UserStatus | undefined;
  /** Only the locked users, or all others. */
  readonly locked: { readonly is: boolean; readonly ids: readonly string[] } | undefined;
  readonly roleId: string | undefined;
  readonly hasSecondFactor: boolean | undefined;
  readonly attribute: SearchedAttribute | undefined;
  /** Not with a keyword, whose results are newest first. */
  readonly sort: UserSort;
}

/** A listed user with the segment, which is part of its list position. */
export type ListedUser = UserView & { readonly segment: number };

/** The position and size of a list page. */
interface Reach {
  readonly after: Position | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** The conditions of a search. */
interface Terms {
  /** True for each result. */
  readonly always: readonly string[];
  /** The parameter with the keyword. */
  readonly keyword: string;
  /** Whether a text has the keyword. */
  readonly hasKeyword: string;
  /** Whether the keyword is the phone, or the beginning of the former name. */
  readonly others: readonly string[];
}

const FIRST_BEYOND_ASCII = '\u0080';
const EVERY_STATUS: readonly UserStatus[] = ['active', 'disabled'];
/** Up to this number the users of a role, of a status, with an attribute or with a second factor are checked one by one. More narrow a search less than the keyword. */
const FEW = 5_000;

/** What only few users have. */
type Rarity = 'lock' | 'role' | 'status' | 'factor' | 'attribute' | undefined;

const COLUMNS = `account.id, account.username, account.former_username AS "formerUsername", account.nickname, account.avatar, account.email,
  account.email_key AS "emailKey", account.email_verified AS "emailVerified", account.phone,
  account.phone_verified AS "phoneVerified", account.locale, account.status,
  account.password_hash IS NOT NULL AS "hasPassword", account.password_version AS "passwordVersion",
  account.must_change_password AS "mustChangePassword", account.terms_version AS "termsVersion",
  account.terms_accepted_at AS "termsAcceptedAt", account.created_at AS "createdAt",
  account.updated_at AS "updatedAt", account.last_login_at AS "lastLoginAt",
  account.deletion_due_at AS "deletionDueAt", account.attributes`;

/** The parameters of one statement, collected while its text is built. */
class Values {
  readonly list: unknown[] = [];

  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/**
 * Lists users through indexes only, however many there are, newest first unless a filter without a keyword sorts them. A
 * keyword search walks the segments, which hold users in order of creation. Raw SQL, because each
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

  /** The users with these ids, by id. */
  listOf(ids: readonly string[]): Promise<ListedUser[]> {
    const sql = `SELECT ${COLUMNS}, account.search_segment AS segment FROM user_account AS account
       WHERE account.id = ANY($1::uuid[]) ORDER BY account.id`;
    return this.replicas.read((manager) => manager.query(sql, [ids]));
  }

  async count(filter: UserFilter): Promise<Total> {
    const values = new Values();
    const few = await this.rarity(filter);
    if (!filter.keyword) return this.totals.about(`SELECT 1 FROM ${plain(filter, few, values)}`, values.list);
    const terms = termsOf(filter, filter.keyword, few, values);
    const everywhere = `SELECT 1 FROM ${anywhere(terms)}`;
    if (few) return this.totals.about(everywhere, values.list);
    // OFFSET 0 keeps the order of the join: without it, the planner may look at each user once for each segment.
    const bySegment = `SELECT 1 FROM ${segments()} CROSS JOIN LATERAL (${matchesOf(terms)} OFFSET 0) AS found`;
    return this.totals.about(bySegment, values.list, everywhere);
  }

  private async list(filter: UserFilter, reach: Reach): Promise<ListedUser[]> {
    const { keyword } = filter;
    const values = new Values();
    const few = await this.rarity(filter);
    if (!keyword) {
      const { columns, direction } = orderOf(filter.sort);
      return this.fetch(sorted(filter, few, reach, values), `${columns.plain.join()} ${direction}`, values);
    }
    const terms = termsOf(filter, keyword, few, values);
    const found = few ? amongFew(terms, reach, values) : throughSegments(terms, reach, values);
    return this.fetch(found, 'found.segment DESC, found.id DESC', values);
  }

  private fetch(found: string, order: string, values: Values): Promise<ListedUser[]> {
    const sql = `SELECT ${COLUMNS}, found.segment FROM (${found}) AS found JOIN user_account AS account ON account.id = found.id
       ORDER BY ${order}`;
    return this.replicas.read((manager) => manager.query(sql, values.list));
  }

  private async rarity(filter: UserFilter): Promise<Rarity> {
    if (filter.locked?.is) return 'lock';
    for (const [rarity, rows, ...values] of narrowings(filter)) if (await this.areFew(rows, ...values)) return rarity;
    return undefined;
  }

  private async areFew(rows: string, ...values: string[]): Promise<boolean> {
    const sql = `SELECT 1 FROM ${rows} OFFSET ${FEW} LIMIT 1`;
    const more = await this.replicas.read((manager) => manager.query<unknown[]>(sql, values));
    return more.length === 0;
  }
}

type Narrowing = readonly [Rarity, rows: string, ...values: string[]];

/** What could leave few users. Without a keyword, the indexes of roles and statuses narrow the list anyway. */
function narrowings({ keyword, status, roleId, hasSecondFactor, attribute }: UserFilter): Narrowing[] {
  const found: (Narrowing | false | undefined)[] = [
    attribute && ['attribute', 'user_attribute_key WHERE attribute = $1 AND key = $2', attribute.name, attribute.key],
    keyword && roleId !== undefined && ['role', 'user_role WHERE role_id = $1', roleId],
    keyword && status !== undefined && ['status', 'user_account WHERE status = $1', status],
    hasSecondFactor && ['factor', `(${ENROLLED_USERS}) AS enrolled`],
  ];
  return found.filter((narrowing): narrowing is Narrowing => Boolean(narrowing));
}

/** All users that match the filter, without a keyword. */
function plain(filter: UserFilter, few: Rarity, values: Values, after?: Position): string {
  const { status, roleId } = filter;
  const isOfRole = roleId !== undefined;
  const conditions = [
    ...(isOfRole ? [`member.role_id = ${values.add(roleId)}`] : []),
    ...(status === undefined ? [] : [`account.status = ${values.add(status)}`]),
    ...ofLock(filter, values),
    ...ofFactor(filter, few),
    ...ofAttribute(filter, few, values),
    ...(after ? reached(filter, after, values) : []),
  ];
  const members = isOfRole ? 'JOIN user_role AS member ON member.user_id = account.id' : '';
  return `user_account AS account ${members} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}`;
}

function reached({ sort, roleId }: UserFilter, after: Position, values: Values): string[] {
  const { columns, direction, place } = orderOf(sort);
  const [value, sign] = [values.add(after[place]), direction === 'ASC' ? '>' : '<'];
  return (roleId === undefined ? columns.plain : columns.ofRole).map((column) => `${column} ${sign} ${value}`);
}

function sorted(filter: UserFilter, few: Rarity, { after, limit, offset }: Reach, values: Values): string {
  const { columns, direction } = orderOf(filter.sort);
  const [column = ''] = filter.roleId === undefined ? columns.plain : columns.ofRole;
  return `SELECT account.id, account.search_segment AS segment FROM ${plain(filter, few, values, after)}
    ORDER BY ${column} ${direction} LIMIT ${values.add(limit)} OFFSET ${values.add(offset)}`;
}

function termsOf(filter: UserFilter, keyword: Keyword, few: Rarity, values: Values): Terms {
  const { status, roleId } = filter;
  const always = [
    ofStatus(status, few, values),
    ...ofLock(filter, values),
    ...ofFactor(filter, few),
    ...ofAttribute(filter, few, values),
  ];
  if (roleId !== undefined) always.push(ofRole(values.add(roleId), few));
  const pattern = values.add(patternOf(keyword.text));
  const former = formerUsernameKey(keyword.text);
  // The database ignores the case on both sides, because its case rules follow its locale, not JavaScript's.
  const hasKeyword = ['username', 'nickname', 'email'].map((text) => `account.${text} ILIKE ${pattern}`).join(' OR ');
  return {
    always,
    keyword: values.add(keyword.text),
    hasKeyword: `(${hasKeyword})`,
    others: [
      ...(keyword.phone === undefined ? [] : [`account.phone = ${values.add(keyword.phone)}`]),
      ...(former === undefined ? [] : [`account.former_username_key LIKE ${values.add(literalPrefix(former))}`]),
    ],
  };
}

/** Agrees with the tokens of the search index: a single ASCII character matches at the beginning only. */
const patternOf = (keyword: string): string =>
  keyword.length === 1 && keyword < FIRST_BEYOND_ASCII ? literalPrefix(keyword) : literalPart(keyword);

function ofStatus(status: UserStatus | undefined, few: Rarity, values: Values): string {
  if (few === 'status') {
    return `account.id = ANY(ARRAY(SELECT id FROM user_account WHERE status = ${values.add(status)}))`;
  }
  // `IS TRUE` keeps the planner from the index of the status, with which it would read all users of it in each segment.
  return `(account.status = ANY(${values.add(status ? [status] : EVERY_STATUS)}::varchar[])) IS TRUE`;
}

function ofRole(roleId: string, few: Rarity): string {
  return few === 'role'
    ? `account.id = ANY(ARRAY(SELECT user_id FROM user_role WHERE role_id = ${roleId}))`
    : `EXISTS (SELECT 1 FROM user_role WHERE user_role.user_id = account.id AND user_role.role_id = ${roleId})`;
}

const ofLock = ({ locked }: UserFilter, values: Values): string[] =>
  locked ? [`account.id ${locked.is ? '= ANY' : '<> ALL'}(${values.add(locked.ids)}::uuid[])`] : [];

/** Of a list without a keyword, the planner joins those without a factor, because they may be the last few of many. */
function ofFactor({ hasSecondFactor, keyword }: UserFilter, few: Rarity): string[] {
  if (hasSecondFactor === undefined) return [];
  if (few === 'factor') return [`account.id = ANY(ARRAY(${ENROLLED_USERS}))`];
  if (hasSecondFactor) return [isEnrolled('account.id')];
  if (keyword) return [`NOT ${isEnrolled('account.id')}`];
  return [`NOT EXISTS (SELECT 1 FROM (${ENROLLED_USERS}) AS enrolled WHERE enrolled.user_id = account.id)`];
}

function ofAttribute({ attribute }: UserFilter, few: Rarity, values: Values): string[] {
  if (!attribute) return [];
  const matches = `user_attribute_key.attribute = ${values.add(attribute.name)} AND user_attribute_key.key = ${values.add(attribute.key)}`;
  return [
    few === 'attribute'
      ? `account.id = ANY(ARRAY(SELECT user_id FROM user_attribute_key WHERE ${matches}))`
      : `EXISTS (SELECT 1 FROM user_attribute_key WHERE user_attribute_key.user_id = account.id AND ${matches})`,
  ];
}

/** All matching users. Names the keyword, too, because PostgreSQL rejects parameters that a statement does not use. */
function anywhere({ always, keyword, hasKeyword, others }: Terms): string {
  const matches = `(${[hasKeyword, ...others].join(' OR ')})`;
  return `user_account AS account WHERE ${[...always, `${keyword}::text <> ''`, matches].join(' AND ')}`;
}

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

/** The matching users of one segment, without duplicates. The tokens only preselect: they are hashes of letter pairs. */
function matchesOf({ always, keyword, hasKeyword, others }: Terms): string {
  const preselected = `user_account_search_tokens(account.search_segment, account.username, account.nickname, account.email)
    @> user_account_keyword_tokens(segment.number, ${keyword}::text)`;
  const byText = [preselected, hasKeyword];
  const byOthers = others.map((condition) => ['account.search_segment = segment.number', condition]);
  return [byText, ...byOthers]
    .map(
      (conditions) =>
        `SELECT account.id FROM user_account AS account WHERE ${[...conditions, ...always].join(' AND ')}`,
    )
    .join(' UNION ');
}

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
