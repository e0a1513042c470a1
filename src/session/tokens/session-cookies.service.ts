import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  CookieScope,
  CookieScopesService,
  CookieTarget,
  cookieValues,
  expireCookie,
  CookieScopes,
  HostCookiesService,
  keyOfScope,
  ScopeHistory,
  serializeCookie,
} from '../../platform/http';
import { andThen, MaybePromise } from '../../platform/util';
import { SettingsReader } from '../../platform/settings';
import { SessionSummary } from '../store/session.repository';
import { accessTtl } from '../store/session.settings';
import { issuedAtOf, TokenService, TokenType } from './token.service';

export type CookieKind = TokenType | BrowserCookie;

/**
 * Browser state next to the session: a known device, a trusted device, an MFA challenge, and the own refresh token of a
 * user who acts as another.
 */
export type BrowserCookie = 'device' | 'trusted' | 'mfa' | 'actor';

/** Covers the whole history of the cookie settings. */
const MAX_PREVIOUS_SCOPES = 60;
/** Another instance may set cookies with the previous prefix until it has seen the change. */
const CHANGE_SEEN_MS = 2_000;
/** Finds a token under a prefix that this instance does not know. */
const UNKNOWN_TOKEN = /_(?:access|refresh)="?eyJ/;
const RELOAD_PAUSE_MS = 100;

const isToken = (kind: CookieKind): kind is TokenType => kind === 'access' || kind === 'refresh';

/** Reads and writes the session's tokens in HttpOnly cookies. No other code names these cookies. */
@Injectable()
export class SessionCookiesService {
  private reloadedAt = -Infinity;

  constructor(
    private readonly scopes: CookieScopesService,
    private readonly hostCookies: HostCookiesService,
    private readonly settings: SettingsReader,
    private readonly tokens: TokenService,
  ) {}

  /**
   * Returns every value sent under the cookie's name, because paths and domains allow several. Without one, names from
   * before a prefix change count for tokens issued before that change.
   */
  read(request: FastifyRequest, kind: CookieKind): MaybePromise<string[]> {
    const header = request.raw.headers.cookie;
    if (header === undefined) return [];
    if (!isToken(kind)) return this.hostCookies.read(request, kind);
    return andThen(this.readToken(request, header, kind), (found) => {
      if (found.length > 0 || !UNKNOWN_TOKEN.test(header) || !this.mayReload()) return found;
      // Another instance may have written it under a prefix that was set within the last second.
      this.settings.reload();
      return this.readToken(request, header, kind);
    });
  }

  /**
   * Whether the access and the refresh cookie are of different users. The access cookie may come from another host of the
   * domain, where someone else has logged in since. Expired tokens count.
   */
  async nameTwoUsers(request: FastifyRequest): Promise<boolean> {
    const ofAccess = await this.tokens.usersOf('access', await this.read(request, 'access'));
    if (ofAccess.length === 0) return false;
    const ofRefresh = await this.tokens.usersOf('refresh', await this.read(request, 'refresh'));
    return ofRefresh.length > 0 && !ofRefresh.some((userId) => ofAccess.includes(userId));
  }

  /** Sets both tokens for the session's current counter. Returns the expiry of the access token. */
  async write(request: FastifyRequest, reply: FastifyReply, session: SessionSummary): Promise<Date> {
    const ttl = await this.settings.get(accessTtl);
    const accessEnd = endOfAccess(session, ttl);
    const { id: sessionId, userId, counter, actorId } = session;
    const subject = { userId, sessionId, counter, actorId };
    const scopes = await this.scopes.find(request);
    const access = await this.tokens.issue('access', subject, session.rotatedAt, accessEnd);
    const refresh = await this.tokens.issue('refresh', subject, session.rotatedAt, session.expiresAt);
    this.invalidateSent(request, scopes);
    if (!actorId) await this.clearActor(request, reply);
    // The access cookie outlives its token, so that a client gets `token_expired` and refreshes, not `unauthenticated`.
    const maxAgeSeconds = session.remember ? secondsUntil(session.expiresAt, session.now) : undefined;
    this.set(reply, scopes, 'access', access, maxAgeSeconds);
    this.set(reply, scopes, 'refresh', refresh, maxAgeSeconds);
    return accessEnd;
  }

  /** Without `maxAgeSeconds` the cookie ends with the browser. */
  async writeBrowser(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: BrowserCookie,
    value: string,
    maxAgeSeconds?: number,
  ): Promise<void> {
    await this.hostCookies.write(request, reply, { kind, value, maxAgeSeconds });
  }

  async clearBrowser(request: FastifyRequest, reply: FastifyReply, kind: BrowserCookie): Promise<void> {
    await this.hostCookies.clear(request, reply, { kind });
  }

  /** Removes both tokens. The browser stays a known device. */
  async clear(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const scopes = await this.scopes.find(request);
    for (const kind of ['access', 'refresh'] as const) {
      this.expire(reply, scopes, possibleScopes(scopes, kind), kind);
    }
    this.invalidateSent(request, scopes);
    await this.clearActor(request, reply);
  }

  /** With another login in the browser, the way back to the actor's session ends. */
  private async clearActor(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if ((await this.hostCookies.read(request, 'actor')).length > 0) await this.clearBrowser(request, reply, 'actor');
  }

  /** Drops replaced tokens from the cache of verified tokens, which is the largest cache. */
  private invalidateSent(request: FastifyRequest, scopes: CookieScopes): void {
    for (const kind of ['access', 'refresh'] as const) {
      const { prefix } = scopesOf(scopes, kind).current;
      const sent = cookieValues(request.raw.headers.cookie, `${prefix}_${kind}`);
      for (const token of sent) this.tokens.invalidate(kind, token);
    }
  }

  private readToken(request: FastifyRequest, header: string, kind: TokenType): MaybePromise<string[]> {
    const prefixOf = kind === 'access' ? this.scopes.prefix(request) : this.scopes.refreshPrefix(request);
    return andThen(prefixOf, (prefix) => {
      const current = cookieValues(header, `${prefix}_${kind}`);
      if (current.length > 0 || !header.includes(`_${kind}=`)) return current;
      return this.readPreviousToken(request, header, kind);
    });
  }

  private async readPreviousToken(request: FastifyRequest, header: string, kind: TokenType): Promise<string[]> {
    const { previous } = scopesOf(await this.scopes.find(request, MAX_PREVIOUS_SCOPES), kind);
    for (const { prefix, until } of previous) {
      const found = cookieValues(header, `${prefix}_${kind}`).filter((token) => isFromBefore(token, until));
      if (found.length > 0) return found;
    }
    return [];
  }

  private mayReload(): boolean {
    const now = performance.now();
    if (now - this.reloadedAt < RELOAD_PAUSE_MS) return false;
    this.reloadedAt = now;
    return true;
  }

  private set(reply: FastifyReply, scopes: CookieScopes, kind: TokenType, value: string, maxAgeSeconds?: number): void {
    const scope = scopesOf(scopes, kind).current;
    const others = possibleScopes(scopes, kind).filter((other) => keyOfScope(other) !== keyOfScope(scope));
    // Expires other cookies first, because one of them may be the same cookie to the browser.
    this.expire(reply, scopes, others, kind);
    const lifetime = maxAgeSeconds === undefined ? {} : { maxAgeSeconds };
    void reply.header('set-cookie', serializeCookie({ ...target(scopes, scope, kind), value, ...lifetime }));
  }

  private expire(reply: FastifyReply, scopes: CookieScopes, which: readonly CookieScope[], kind: TokenType): void {
    for (const scope of which) void reply.header('set-cookie', expireCookie(target(scopes, scope, kind)));
  }
}

/**
 * Accepts only tokens issued before the prefix changed. An attacker who plants a cookie under a previous name has no
 * such token except their own.
 */
const isFromBefore = (token: string, until: number): boolean =>
  (issuedAtOf(token) ?? Infinity) <= until + CHANGE_SEEN_MS;

function endOfAccess({ rotatedAt, expiresAt }: SessionSummary, ttlSeconds: number): Date {
  const end = Math.min(rotatedAt.getTime() + ttlSeconds * 1_000, expiresAt.getTime());
  return new Date(Math.floor(end / 1_000) * 1_000);
}

const scopesOf = (scopes: CookieScopes, kind: TokenType): ScopeHistory =>
  kind === 'refresh' ? scopes.refresh : scopes;

/** Every scope in which the browser may have the cookie. In former versions both tokens had the same scope. */
function possibleScopes(scopes: CookieScopes, kind: TokenType): CookieScope[] {
  const all = [...scopes.previous, scopes.current];
  const { previous, current } = scopes.refresh;
  const possible =
    kind === 'refresh' ? [...all.flatMap((scope) => [scope, { ...scope, domain: '' }]), ...previous, current] : all;
  return [...new Map(possible.map((scope) => [keyOfScope(scope), scope])).values()];
}

function target(
  { sameSite, secure }: CookieScopes,
  { prefix, path, domain }: CookieScope,
  kind: TokenType,
): CookieTarget {
  return { name: `${prefix}_${kind}`, path, ...(domain !== '' && { domain }), sameSite, secure };
}

function secondsUntil(end: Date, now: Date): number {
  return Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1_000));
}
