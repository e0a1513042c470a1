import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CookieScopesService, CookieScopes } from './cookie-scopes.service';
import { browserCookiePrefix } from './cookie-names';
import { CookieTarget, cookieValues, expireCookie, SameSite, serializeCookie } from './cookies';

export interface HostCookie {
  /** What its name ends with. */
  readonly kind: string;
  /** Left out: as setting `jwt.cookie_same_site` says. */
  readonly sameSite?: SameSite;
}

export interface HostCookieValue extends HostCookie {
  readonly value: string;
  /** Left out: the cookie ends with the browser. */
  readonly maxAgeSeconds?: number | undefined;
}

/**
 * Cookies of this very host that carry no session: path `/`, no domain, and over https a name that begins with `__Host-`,
 * so that no other host of the domain can put one in the browser.
 */
@Injectable()
export class HostCookiesService {
  constructor(private readonly frames: CookieScopesService) {}

  /** Every value under today's name; where there is none, under one from before the prefix was changed. */
  async read(request: FastifyRequest, kind: string): Promise<string[]> {
    const header = request.raw.headers.cookie;
    if (!header?.includes(`_${kind}=`)) return [];
    const found = namesOf(await this.frames.of(request), kind).map((name) => cookieValues(header, name));
    return found.find((values) => values.length > 0) ?? [];
  }

  async write(request: FastifyRequest, reply: FastifyReply, cookie: HostCookieValue): Promise<void> {
    const { value, maxAgeSeconds } = cookie;
    const frames = await this.frames.of(request);
    const [target, ...former] = targetsOf(frames, cookie);
    // First, for to a browser a former cookie may be the very one that is set.
    expireAll(reply, [...former, ...leftovers(frames, cookie, request)]);
    const lifetime = maxAgeSeconds === undefined ? {} : { maxAgeSeconds };
    void reply.header('set-cookie', serializeCookie({ ...target, value, ...lifetime }));
  }

  async clear(request: FastifyRequest, reply: FastifyReply, cookie: HostCookie): Promise<void> {
    const frames = await this.frames.of(request);
    expireAll(reply, [...leftovers(frames, cookie, request), ...targetsOf(frames, cookie).reverse()]);
  }
}

function expireAll(reply: FastifyReply, targets: readonly CookieTarget[]): void {
  for (const target of targets) void reply.header('set-cookie', expireCookie(target));
}

/** Today's first. */
function namesOf({ prefixes, secure }: CookieScopes, kind: string): [string, ...string[]] {
  const [today, ...before] = prefixes;
  const nameOf = (prefix: string): string => `${browserCookiePrefix(prefix, secure)}_${kind}`;
  return [nameOf(today), ...new Set(before.map(nameOf).filter((name) => name !== nameOf(today)))];
}

function targetsOf(
  frames: CookieScopes,
  { kind, sameSite = frames.sameSite }: HostCookie,
): [CookieTarget, ...CookieTarget[]] {
  // Browsers take SameSite=None only with Secure (RFC 6265bis §5.7).
  const secure = frames.secure || sameSite === 'none';
  const targetOf = (name: string): CookieTarget => ({ name, path: '/', sameSite, secure });
  const [today, ...before] = namesOf(frames, kind);
  return [targetOf(today), ...before.map(targetOf)];
}

/** Cookies that the browser sent under a name, path and domain that session cookies have: all cookies once had them. */
function leftovers(frames: CookieScopes, cookie: HostCookie, request: FastifyRequest): CookieTarget[] {
  const { sameSite = frames.sameSite, kind } = cookie;
  const header = request.raw.headers.cookie;
  const known = new Set(namesOf(frames, kind));
  return [frames.current, ...frames.former].flatMap(({ prefix, path, domain }) => {
    const name = `${prefix}_${kind}`;
    const isOurs = known.has(name) && path === '/' && domain === '';
    if (isOurs || cookieValues(header, name).length === 0) return [];
    return [{ name, path, ...(domain !== '' && { domain }), sameSite, secure: frames.secure || sameSite === 'none' }];
  });
}
