import { isSafeMethod } from '../../platform/context';
import { ASSERTION_TYPE } from '../../platform/crypto/assertion-type';
import { platformErrors } from '../../platform/errors';
import { cookieValues } from '../../platform/http/cookies';
import { csrfCheck } from '../../platform/http/csrf';
import { ORGANIZATION_HEADER, OrganizationRule } from '../../platform/access/policy';
import { membersOf } from '../../platform/util';

/** The parts of a request that Express and Fastify have in common. */
export interface GuardedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly params: Readonly<Record<string, string>>;
}

/** How a request authenticates: by the access cookie, by a session token as bearer, or by an assertion as bearer. */
export interface Credentials {
  readonly kind: 'cookie' | 'bearer' | 'assertion';
  /** Usually one. Several cookies may have the same name. */
  readonly tokens: readonly string[];
}

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;
/** A session token: three parts, the last an ES256 signature (RFC 7518 §3.4). */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]{86}$/;
const MAX_TOKEN_LENGTH = 2_048;
/** As many as Castellan verifies. */
const MAX_TOKENS = 4;

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;

const isToken = (text: string): boolean => text.length <= MAX_TOKEN_LENGTH && TOKEN.test(text);

function bearerOf({ authorization }: GuardedRequest['headers']): string | undefined {
  const bearer = BEARER.exec(textOf(authorization) ?? '')?.[1];
  return bearer !== undefined && isToken(bearer) ? bearer : undefined;
}

/** Whether the token claims to be an assertion. Castellan verifies it. */
function isAssertion(token: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString('utf8'));
    return membersOf(header)['typ'] === ASSERTION_TYPE;
  } catch {
    return false;
  }
}

/**
 * Returns the credentials of the request. A page that sends an assertion names this service, so cookies beside it do
 * not count. A session token counts as bearer only without session cookies, so that the header cannot override a
 * browser's cookies. The refresh cookie is never read beyond its name. Errors: `unauthenticated`.
 */
export function credentialsOf({ headers }: GuardedRequest, accessCookie: string): Credentials {
  const token = bearerOf(headers);
  if (token !== undefined && isAssertion(token)) return { kind: 'assertion', tokens: [token] };
  const cookies = textOf(headers['cookie']);
  const found = cookieValues(cookies, accessCookie);
  const tokens = found.filter(isToken).slice(0, MAX_TOKENS);
  if (tokens.length > 0) return { kind: 'cookie', tokens };
  const hasRefreshCookie = cookieValues(cookies, accessCookie.replace(/access$/, 'refresh')).length > 0;
  if (token === undefined || found.length > 0 || hasRefreshCookie) throw platformErrors.unauthenticated();
  return { kind: 'bearer', tokens: [token] };
}

/**
 * Rejects a state change with the user's cookie that a page of another origin requested. Errors: `csrf_rejected`.
 * @param allowedOrigins beside the service's own
 */
export function requireOwnPage({ method, headers }: GuardedRequest, allowedOrigins: readonly string[]): void {
  if (isSafeMethod(method)) return;
  const origin = textOf(headers['origin']);
  const secFetchSite = textOf(headers['sec-fetch-site']);
  const isOwn = secFetchSite === 'same-origin' || hostOf(origin) === textOf(headers['host']);
  const result = csrfCheck({ method, origin, secFetchSite }, { ownOrigin: isOwn ? origin : undefined, allowedOrigins });
  if (result !== 'ok') throw platformErrors.csrfRejected({ params: { check: result.failed } });
}

const hostOf = (origin: string | undefined): string | undefined =>
  origin !== undefined && URL.canParse(origin) ? new URL(origin).host : '';

/** The organizations that a request names: any text. */
export interface NamedOrganizations {
  readonly inHeader: string | undefined;
  readonly inPath: string | undefined;
}

/** None if the route has no rule. */
export function organizationsOf(
  { headers, params }: GuardedRequest,
  rule: OrganizationRule | undefined,
): NamedOrganizations {
  const named = rule && headers[ORGANIZATION_HEADER];
  return {
    inHeader: named === undefined ? undefined : String(named),
    inPath: rule?.parameter === undefined ? undefined : (params[rule.parameter] ?? ''),
  };
}
