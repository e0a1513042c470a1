import { isSafeMethod } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { cookieValues } from '../platform/http/cookies';
import { csrfCheck } from '../platform/http/csrf';

/** The parts of a request that Express and Fastify have in common. */
export interface GuardedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly params: Readonly<Record<string, string>>;
}

export interface PresentedTokens {
  readonly tokens: readonly string[];
  readonly isCookie: boolean;
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

/**
 * The access tokens of the request. A bearer token counts only without session cookies, so that the header cannot
 * override a browser's cookies. The refresh cookie is never read beyond its name. Errors: `unauthenticated`.
 */
export function presentedTokens({ headers }: GuardedRequest, accessCookie: string): PresentedTokens {
  const cookies = textOf(headers['cookie']);
  const found = cookieValues(cookies, accessCookie);
  const tokens = found.filter(isToken).slice(0, MAX_TOKENS);
  if (tokens.length > 0) return { tokens, isCookie: true };
  const bearer = BEARER.exec(textOf(headers['authorization']) ?? '')?.[1];
  const refreshCookie = accessCookie.replace(/access$/, 'refresh');
  const isBrowser = found.length > 0 || (cookies !== undefined && cookieValues(cookies, refreshCookie).length > 0);
  if (bearer === undefined || isBrowser || !isToken(bearer)) throw platformErrors.unauthenticated();
  return { tokens: [bearer], isCookie: false };
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
