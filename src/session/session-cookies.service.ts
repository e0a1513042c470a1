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
  serializeCookie,
} from '../platform/http';
import { andThen, MaybePromise } from '../platform/maybe-promise';
import { SettingsReader } from '../platform/settings';
import { SessionSummary } from './session.repository';
import { accessTtl } from './session.settings';
import { issuedAtOf, TokenService, TokenType } from './token.service';

export type CookieKind = TokenType | BrowserCookie;

/** What a browser keeps beside its session: that it is known, that it is trusted, that it is halfway through a login. */
export type BrowserCookie = 'device' | 'trusted' | 'mfa';

/** All that the history of the settings gives. */
const EVERY_FORMER = 60;
/** An instance may set cookies under a former name until it has seen the change. */
const CHANGE_SEEN_MS = 2_000;
/** A token under a prefix that this instance does not know. */
const UNKNOWN_TOKEN = /_(?:access|refresh)="?eyJ/;
const RELOAD_PAUSE_MS = 100;

const isToken = (kind: CookieKind): kind is TokenType => kind === 'access' || kind === 'refresh';

/** Carries the session's tokens in cookies that no script can read; the only place that names or writes them. */
@Injectable()
export class SessionCookiesService {
  private reloadedAt = -Infinity;

  constructor(
    private readonly frames: CookieScopesService,
    private readonly hostCookies: HostCookiesService,
    private readonly settings: SettingsReader,
    private readonly tokens: TokenService,
  ) {}

  /**
   * Every value the browser sent under the cookie's name; there can be several, of other paths or domains. Where there
   * is none, a name from before a change of the prefix counts, for tokens from before that change.
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

  /** Sets both tokens of the session's current counter; answers when the access token ends. */
  async write(request: FastifyRequest, reply: FastifyReply, session: SessionSummary): Promise<Date> {
    const ttl = await this.settings.get(accessTtl);
    const accessEnd = endOfAccess(session, ttl);
    const subject = { userId: session.userId, sessionId: session.id, counter: session.counter };
    const frames = await this.frames.of(request);
    const access = await this.tokens.issue('access', subject, session.rotatedAt, accessEnd);
    const refresh = await this.tokens.issue('refresh', subject, session.rotatedAt, session.expiresAt);
    this.invalidateSent(request, frames);
    // The access cookie outlives its token, so that a client learns "expired, refresh" instead of "nobody".
    const maxAgeSeconds = session.remember ? secondsUntil(session.expiresAt, session.now) : undefined;
    this.set(reply, frames, 'access', access, maxAgeSeconds);
    this.set(reply, frames, 'refresh', refresh, maxAgeSeconds);
    return accessEnd;
  }

  /** Without a life in seconds it ends with the browser. */
  async writeDevice(
    request: FastifyRequest,
    reply: FastifyReply,
    value: string,
    maxAgeSeconds?: number,
  ): Promise<void> {
    await this.writeBrowser(request, reply, 'device', value, maxAgeSeconds);
  }

  /** As `writeDevice`, for what else a browser keeps. */
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

  /** Removes both tokens; the browser stays known as a device. */
  async clear(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const frames = await this.frames.of(request);
    for (const kind of ['access', 'refresh'] as const) {
      this.expire(reply, frames, [...frames.former, frames.current], kind);
    }
    this.invalidateSent(request, frames);
  }

  /** Tokens that the browser no longer keeps would only fill the cache of verified tokens, which is the largest of all. */
  private invalidateSent(request: FastifyRequest, { current: { prefix } }: CookieScopes): void {
    for (const kind of ['access', 'refresh'] as const) {
      const sent = cookieValues(request.raw.headers.cookie, `${prefix}_${kind}`);
      for (const token of sent) this.tokens.invalidate(kind, token);
    }
  }

  private readToken(request: FastifyRequest, header: string, kind: TokenType): MaybePromise<string[]> {
    return andThen(this.frames.prefix(request), (prefix) => {
      const current = cookieValues(header, `${prefix}_${kind}`);
      if (current.length > 0 || !header.includes(`_${kind}=`)) return current;
      return this.readFormerToken(request, header, kind);
    });
  }

  private async readFormerToken(request: FastifyRequest, header: string, kind: TokenType): Promise<string[]> {
    const { former } = await this.frames.of(request, EVERY_FORMER);
    for (const { prefix, until } of former) {
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

  private set(reply: FastifyReply, frames: CookieScopes, kind: TokenType, value: string, maxAgeSeconds?: number): void {
    // First, for to a browser a former cookie may be the very one that is set.
    this.expire(reply, frames, frames.former, kind);
    const lifetime = maxAgeSeconds === undefined ? {} : { maxAgeSeconds };
    void reply.header('set-cookie', serializeCookie({ ...target(frames, frames.current, kind), value, ...lifetime }));
  }

  private expire(reply: FastifyReply, frames: CookieScopes, which: readonly CookieScope[], kind: TokenType): void {
    for (const frame of which) void reply.header('set-cookie', expireCookie(target(frames, frame, kind)));
  }
}

/** Whoever sets a cookie under a name that is no longer given cannot have one of our tokens from that time, unless it is theirs. */
const isFromBefore = (token: string, until: number): boolean =>
  (issuedAtOf(token) ?? Infinity) <= until + CHANGE_SEEN_MS;

function endOfAccess({ rotatedAt, expiresAt }: SessionSummary, ttlSeconds: number): Date {
  const end = Math.min(rotatedAt.getTime() + ttlSeconds * 1_000, expiresAt.getTime());
  return new Date(Math.floor(end / 1_000) * 1_000);
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
