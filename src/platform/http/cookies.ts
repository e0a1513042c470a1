import { stringifySetCookie } from 'cookie';
import type { Environment } from '../config';

export type SameSite = 'lax' | 'strict' | 'none';

/** Identifies a cookie: browsers replace and delete it only if name, path and domain match (RFC 6265 §5.3). */
export interface CookieTarget {
  readonly name: string;
  readonly path: string;
  /** Undefined or empty: this host only. */
  readonly domain?: string;
  readonly sameSite: SameSite;
  readonly secure: boolean;
}

export interface Cookie extends CookieTarget {
  readonly value: string;
  /** Undefined: the cookie ends with the browser session. */
  readonly maxAgeSeconds?: number;
}

export type CookieProblemCode =
  'cookie_prefix' | 'cookie_path' | 'cookie_domain' | 'host_prefix_path' | 'host_prefix_domain';

export interface CookieProblem {
  readonly attribute: 'prefix' | 'path' | 'domain';
  readonly code: CookieProblemCode;
}

const MAX_HEADER_LENGTH = 16 * 1024;
const MAX_DOMAIN_LENGTH = 253;
// RFC 6265 §4.1.1: a cookie's name is a token of RFC 9110 §5.6.2.
const PREFIX = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
// RFC 6265 §4.1.1 path-value in ASCII, without "<", which the serializer rejects.
const PATH = /^\/[\x20-\x3a\x3d-\x7e]{0,255}$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Whether cookies are Secure: always over https, and always in production unless `COOKIE_INSECURE` is set. */
export function areCookiesSecure(
  { isProduction, cookieInsecure }: Pick<Environment, 'isProduction' | 'cookieInsecure'>,
  isHttps: boolean,
): boolean {
  return isHttps || (isProduction && !cookieInsecure);
}

function decode(value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Returns all values of the name in a `Cookie` header, in order; none if the header exceeds 16 KiB. */
export function cookieValues(header: string | undefined, name: string): string[] {
  if (header === undefined || name === '' || header.length > MAX_HEADER_LENGTH) return [];
  const values: string[] = [];
  // Jumps from "=" to "=", so that a header of only ";" is read in linear time.
  for (let equals = header.indexOf('='); equals !== -1;) {
    const from = header.lastIndexOf(';', equals) + 1;
    const semicolon = header.indexOf(';', equals);
    const end = semicolon === -1 ? header.length : semicolon;
    if (header.slice(from, equals).trim() === name) values.push(decode(header.slice(equals + 1, end).trim()));
    equals = header.indexOf('=', end);
  }
  return values;
}

function serialize(cookie: Cookie, expires?: Date): string {
  const { name, value, path, domain, sameSite, secure, maxAgeSeconds: maxAge } = cookie;
  return stringifySetCookie({ name, value, path, domain, sameSite, secure, maxAge, expires, httpOnly: true });
}

/**
 * Returns a `Set-Cookie` value, always HttpOnly. Throws a TypeError for attributes that `checkCookieAttributes`
 * rejects.
 */
export function serializeCookie(cookie: Cookie): string {
  return serialize(cookie);
}

/** Returns a `Set-Cookie` value that deletes the cookie. */
export function expireCookie(target: CookieTarget): string {
  return serialize({ ...target, value: '', maxAgeSeconds: 0 }, new Date(0));
}

/**
 * Whether cookie names may start with the text: a token of 1–64 characters; `__Host-…` and `__Secure-…` are allowed.
 */
export function isCookiePrefix(text: string): boolean {
  return PREFIX.test(text);
}

function isDomain(text: string): boolean {
  const bare = text.startsWith('.') ? text.slice(1) : text;
  return bare.length <= MAX_DOMAIN_LENGTH && bare.split('.').every((label) => LABEL.test(label));
}

/**
 * Validates cookie settings, including the prefix rules of RFC 6265bis §4.1.3. Returns an empty list if browsers and
 * the serializer accept them.
 */
export function checkCookieAttributes(attributes: { prefix: string; path: string; domain?: string }): CookieProblem[] {
  const { prefix, path, domain = '' } = attributes;
  // Browsers match the prefix case-insensitively (RFC 6265bis §5.4), so the rules also apply to "__host-".
  const hostOnly = prefix.toLowerCase().startsWith('__host-');
  const problems: (CookieProblem | false)[] = [
    !isCookiePrefix(prefix) && { attribute: 'prefix', code: 'cookie_prefix' },
    !PATH.test(path) && { attribute: 'path', code: 'cookie_path' },
    domain !== '' && !isDomain(domain) && { attribute: 'domain', code: 'cookie_domain' },
    hostOnly && path !== '/' && { attribute: 'path', code: 'host_prefix_path' },
    hostOnly && domain !== '' && { attribute: 'domain', code: 'host_prefix_domain' },
  ];
  return problems.filter((problem) => problem !== false);
}
