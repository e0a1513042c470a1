import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CookieScopesService, CookieScopes } from './cookie-scopes.service';
import { browserCookiePrefix } from './cookie-names';
import { CookieTarget, cookieValues, expireCookie, SameSite, serializeCookie } from './cookies';

export interface HostCookie {
  /** Suffix of the name. */
  readonly kind: string;
  /** Undefined: setting `jwt.cookie_same_site`. */
  readonly sameSite?: SameSite;
}

export interface HostCookieValue extends HostCookie {
  readonly value: string;
  /** Undefined: the cookie ends with the browser session. */
  readonly maxAgeSeconds?: number | undefined;
}

/**
 * Cookies of this host that contain no session. They have path `/`, no domain and over https a name with `__Host-`, so
 * that no other host of the domain can set them.
 */
@Injectable()
export class HostCookiesService {
  constructor(private readonly scopes: CookieScopesService) {}

  /** Returns all values under the current name; if there are none, those under a previous prefix. */
  async read(request: FastifyRequest, kind: string): Promise<string[]> {
    const header = request.raw.headers.cookie;
    if (!header?.includes(`_${kind}=`)) return [];
    const found = namesOf(await this.scopes.find(request), kind).map((name) => cookieValues(header, name));
    return found.find((values) => values.length > 0) ?? [];
  }

  async write(request: FastifyRequest, reply: FastifyReply, cookie: HostCookieValue): Promise<void> {
    const { value, maxAgeSeconds } = cookie;
    const scopes = await this.scopes.find(request);
    const [target, ...previous] = targetsOf(scopes, cookie);
    // Expires first: a browser may treat a previous cookie and the new one as the same.
    expireAll(reply, [...previous, ...leftovers(scopes, cookie, request)]);
    const lifetime = maxAgeSeconds === undefined ? {} : { maxAgeSeconds };
    void reply.header('set-cookie', serializeCookie({ ...target, value, ...lifetime }));
  }

  async clear(request: FastifyRequest, reply: FastifyReply, cookie: HostCookie): Promise<void> {
    const scopes = await this.scopes.find(request);
    expireAll(reply, [...leftovers(scopes, cookie, request), ...targetsOf(scopes, cookie).reverse()]);
  }
}

function expireAll(reply: FastifyReply, targets: readonly CookieTarget[]): void {
  for (const target of targets) void reply.header('set-cookie', expireCookie(target));
}

/** The current name first. */
function namesOf({ prefixes, secure }: CookieScopes, kind: string): [string, ...string[]] {
  const [current, ...before] = prefixes;
  const nameOf = (prefix: string): string => `${browserCookiePrefix(prefix, secure)}_${kind}`;
  return [nameOf(current), ...new Set(before.map(nameOf).filter((name) => name !== nameOf(current)))];
}

function targetsOf(
  scopes: CookieScopes,
  { kind, sameSite = scopes.sameSite }: HostCookie,
): [CookieTarget, ...CookieTarget[]] {
  // Browsers accept SameSite=None only with Secure (RFC 6265bis §5.7).
  const secure = scopes.secure || sameSite === 'none';
  const targetOf = (name: string): CookieTarget => ({ name, path: '/', sameSite, secure });
  const [current, ...before] = namesOf(scopes, kind);
  return [targetOf(current), ...before.map(targetOf)];
}

/** Cookies from older versions, which set them with name, path and domain of the session cookies. */
function leftovers(scopes: CookieScopes, cookie: HostCookie, request: FastifyRequest): CookieTarget[] {
  const { sameSite = scopes.sameSite, kind } = cookie;
  const header = request.raw.headers.cookie;
  const known = new Set(namesOf(scopes, kind));
  return [scopes.current, ...scopes.previous].flatMap(({ prefix, path, domain }) => {
    const name = `${prefix}_${kind}`;
    const isOurs = known.has(name) && path === '/' && domain === '';
    if (isOurs || cookieValues(header, name).length === 0) return [];
    return [{ name, path, ...(domain !== '' && { domain }), sameSite, secure: scopes.secure || sameSite === 'none' }];
  });
}
