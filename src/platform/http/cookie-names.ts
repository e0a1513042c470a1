import type { Environment } from '../config';
import { areCookiesSecure } from './cookies';
import { cookiePrefix } from './http.settings';

/** Name prefix, path and domain of a cookie, from the settings. */
export interface CookieScope {
  readonly prefix: string;
  readonly path: string;
  /** Empty: this host only. */
  readonly domain: string;
}

/** Equal for equal scopes. */
export const keyOfScope = ({ prefix, path, domain }: CookieScope): string => JSON.stringify([prefix, path, domain]);

/** Name prefix that only the host itself can set, over https (RFC 6265bis §4.1.3.2). */
const HOST = '__Host-';
const BINDING = /^__(?:host|secure)-/i;

/**
 * Returns the prefix of session cookies: setting `jwt.cookie_prefix`. The production default drops its `__Host-` if a
 * browser would reject such a cookie.
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
 * Returns the prefix of all other cookies. They have path `/` and no domain, so that over https no other host of the
 * domain can set them.
 */
export function browserCookiePrefix(prefix: string, isSecure: boolean): string {
  const bare = prefix.replace(BINDING, '');
  return isSecure ? `${HOST}${bare}` : bare;
}
