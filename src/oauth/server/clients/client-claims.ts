import { FieldProblem } from '../../../platform/errors';

export const ACCESS_MODES = ['everybody', 'restricted'] as const;
export type AccessMode = (typeof ACCESS_MODES)[number];

/** Who may use a client. `restricted` admits the users, and the members of the roles and of the groups. */
export interface ClientAccess {
  readonly mode: AccessMode;
  readonly roleIds: readonly string[];
  /** Absent if there are none. Members of the groups below are admitted, too. */
  readonly groupIds?: readonly string[];
  readonly userIds: readonly string[];
}

export const OPEN_ACCESS: ClientAccess = { mode: 'everybody', roleIds: [], userIds: [] };

export const CLAIM_PLACES = ['id_token', 'userinfo', 'access_token'] as const;
export type ClaimPlace = (typeof CLAIM_PLACES)[number];

export const CLAIM_SOURCES = ['roles', 'groups', 'permissions', 'attribute', 'constant'] as const;
export type ClaimSource = (typeof CLAIM_SOURCES)[number];

/** Fields that every user has. Others are attributes that operators define. */
export const CLAIM_ATTRIBUTES = ['username', 'nickname', 'email', 'phone', 'locale'] as const;
export type ClaimAttribute = (typeof CLAIM_ATTRIBUTES)[number];

/** A claim that tokens of a client contain in addition to those of the protocol. */
export interface ClaimMapping {
  readonly name: string;
  readonly from: ClaimSource;
  /** For roles, groups and permissions: the beginning of those to include. `*` or absent: all. */
  readonly filter?: string;
  /** For an attribute its name, for a constant its value. */
  readonly value?: string;
  readonly in: readonly ClaimPlace[];
}

/** Matches every role, group or permission. */
export const WHOLE_FILTER = '*';

/**
 * Claims with a meaning in the protocol: RFC 7519 §4.1, RFC 7662 §2.2, RFC 8693 §4, RFC 9068 §2.2, RFC 9449 §6, OpenID
 * Connect Core §2, §5.1 and §5.6.2, the logout specifications, and the claims of this service.
 */
const RESERVED: ReadonlySet<string> = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'typ', 'active', 'username', 'token_type'],
  ...['scope', 'client_id', 'act', 'may_act', 'cnf', 'authorization_details', 'grant', 'uid', 'type', 'ver'],
  ...['nonce', 'auth_time', 'acr', 'amr', 'azp', 'at_hash', 'c_hash', 's_hash', 'sid', 'events', 'sub_jwk'],
  ...['_claim_names', '_claim_sources'],
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture'],
  ...['website', 'email', 'email_verified', 'gender', 'birthdate', 'zoneinfo', 'locale', 'phone_number'],
  ...['phone_number_verified', 'address', 'updated_at'],
  ...['organization_id', 'organization_slug', 'organization_roles', 'login_method'],
]);

/** Printable ASCII without quotes and backslashes. URIs are common names. */
const NAME = /^[!#-&(-[\]-~]+$/;

export const isReservedClaim = (name: string): boolean => RESERVED.has(name);

/** Returns the code of the rule that the name violates. */
export function claimNameProblem(name: string): string | undefined {
  if (isReservedClaim(name)) return 'reserved_claim';
  return NAME.test(name) && !(name in Object.prototype) ? undefined : 'claim_name';
}

export const claimFilterProblem = (filter: string): string | undefined =>
  filter === WHOLE_FILTER || !filter.includes(WHOLE_FILTER) ? undefined : 'claim_filter';

/** Rules between the fields of the mappings. */
export function problemsOfClaims(claims: readonly ClaimMapping[]): FieldProblem[] {
  const taken = new Set<string>();
  return claims.flatMap((claim, index) => {
    const field = `claims[${index}]`;
    const isTwice = claim.in.some((place) => taken.has(`${place} ${claim.name}`));
    for (const place of claim.in) taken.add(`${place} ${claim.name}`);
    return [
      ...(isTwice ? [{ field: `${field}.name`, code: 'claim_twice' }] : []),
      ...problemsOfSource(claim).map(({ field: name, ...problem }) => ({ field: `${field}.${name}`, ...problem })),
    ];
  });
}

function problemsOfSource({ from, filter, value }: ClaimMapping): FieldProblem[] {
  if (from === 'roles' || from === 'groups' || from === 'permissions') {
    return value === undefined ? [] : [{ field: 'value', code: 'claim_without_value' }];
  }
  const problems = filter === undefined ? [] : [{ field: 'filter', code: 'claim_without_filter' }];
  if (value === undefined) return [...problems, { field: 'value', code: 'required' }];
  return problems;
}

const isFixed = (name: string): boolean => CLAIM_ATTRIBUTES.some((attribute) => attribute === name);

/** The name of the attribute that operators define, if the claim is from one. */
export const definedAttributeOf = ({ from, value }: ClaimMapping): string | undefined =>
  from === 'attribute' && value !== undefined && !isFixed(value) ? value : undefined;

const covers = (before: ClaimMapping, after: ClaimMapping): boolean => {
  if (before.from !== after.from) return false;
  if (after.from === 'attribute') return before.value === after.value;
  const { filter = WHOLE_FILTER } = before;
  return filter === WHOLE_FILTER || (after.filter ?? WHOLE_FILTER).startsWith(filter);
};

/** Whether the claims disclose more about a user than those before. A constant discloses nothing. */
export const discloseMore = (before: readonly ClaimMapping[], after: readonly ClaimMapping[]): boolean =>
  after.some((claim) => claim.from !== 'constant' && !before.some((known) => covers(known, claim)));

/** Whether the claims are part of access tokens, which other services read. */
export const reachServices = (claims: readonly ClaimMapping[]): boolean =>
  claims.some(({ in: places }) => places.includes('access_token'));
