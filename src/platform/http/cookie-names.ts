import type { Environment } from '../config';
import { areCookiesSecure } from './cookies';
import { cookiePrefix } from './http.settings';

/** Where a cookie is set: its name's beginning, its path and its domain, as the settings say. */
export interface CookieScope {
  readonly prefix: string;
  readonly path: string;
  /** Empty: the very host alone. */
  readonly domain: string;
}

/** The name's beginning that only the host itself can set, over https (RFC 6265bis §4.1.3.2). */
const HOST = '__Host-';
const BINDING = /^__(?:host|secure)-/i;

/**
 * How the names of session cookies begin: as setting `jwt.cookie_prefix` says. Its default in production begins with
 * `__Host-`, and gives that up where a browser would refuse such a cookie.
 */
export function sessionCookiePrefix(
  { prefix, path, domain }: CookieScope,
  environment: Pick<Environment, 'isProduction' | 'cookieInsecure'>,
  isHttps: boolean,
): string {
  if (!environment.isProduction || prefix !== cookiePrefix.defaultValue) return prefix;
  const mayBind = areCookiesSecure(environment, isHttps) && path === '/' && domain === '';
  return mayBind ? prefix : prefix.slice(HOST.length);
}

/**
 * How the names of all other cookies begin; their path is `/` and they have no domain, so that over https no other host of
 * the domain can set them.
 */
export function browserCookiePrefix(prefix: string, isSecure: boolean): string {
  const bare = prefix.replace(BINDING, '');
  return isSecure ? `${HOST}${bare}` : bare;
}
