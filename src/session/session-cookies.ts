import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Environment } from '../platform/config';
import { contextOf } from '../platform/context';
import {
  areCookiesSecure,
  cookieDomain,
  cookiePath,
  cookiePrefix,
  cookieSameSite,
  CookieTarget,
  cookieValues,
  expireCookie,
  SameSite,
  serializeCookie,
} from '../platform/http';
import { Setting, SettingsReader } from '../platform/settings';
import { CookieFrame, formerFrames } from './former-frames';
import { SessionSummary } from './session.repository';
import { accessTtl } from './session.settings';
import { TokenService, TokenType } from './token.service';

interface Frames {
  readonly current: CookieFrame;
  /** Where the browser may hold cookies from before a setting was changed. */
  readonly former: readonly CookieFrame[];
  readonly sameSite: SameSite;
  readonly secure: boolean;
}

export type CookieKind = TokenType | BrowserCookie;

/** What a browser keeps beside its session: that it is known, that it is trusted, that it is halfway through a login. */
export type BrowserCookie = 'device' | 'trusted' | 'mfa';

const MOST_FORMER = 5;
/** A token under a prefix that this instance does not know. */
const UNKNOWN_TOKEN = /_(?:access|refresh)="?eyJ/;
const RELOAD_PAUSE_MS = 100;

/** Carries the session's tokens in cookies that no script can read; the only place that names or writes them. */
@Injectable()
export class SessionCookies {
  private reloadedAt = -Infinity;

  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
    private readonly tokens: TokenService,
  ) {}

  /**
   * Every value the browser sent under the cookie's name; there can be several, of other paths or domains. Where there
   * is none, a name from before a change of the prefix counts.
   */
  async read(request: FastifyRequest, kind: CookieKind): Promise<string[]> {
    const header = request.raw.headers.cookie;
    if (header === undefined) return [];
    const known = await this.readKnown(header, kind);
    if (known.length > 0 || !UNKNOWN_TOKEN.test(header) || !this.mayReload()) return known;
    // Another instance may have written it under a prefix that was set within the last second.
    this.settings.reload();
    return this.readKnown(header, kind);
  }

  /** The cookie's one value, where today's name is remembered and the browser sent just one under it. */
  peek(request: FastifyRequest, kind: CookieKind): string | undefined {
    const prefix = this.settings.current(cookiePrefix);
    if (prefix === undefined) return undefined;
    const values = cookieValues(request.raw.headers.cookie, `${prefix}_${kind}`);
    return values.length === 1 ? values[0] : undefined;
  }

  /** Sets both tokens of the session's current counter; answers when the access token ends. */
  async write(request: FastifyRequest, reply: FastifyReply, session: SessionSummary): Promise<Date> {
    const ttl = this.settings.current(accessTtl) ?? (await this.settings.get(accessTtl));
    const accessEnd = endOfAccess(session, ttl);
    const subject = { userId: session.userId, sessionId: session.id, counter: session.counter };
    const frames = await this.frames(request);
    const access = await this.tokens.issue('access', subject, session.rotatedAt, accessEnd);
    const refresh = await this.tokens.issue('refresh', subject, session.rotatedAt, session.expiresAt);
    this.forgetSent(request);
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
    this.set(reply, await this.frames(request), kind, value, maxAgeSeconds);
  }

  async clearBrowser(request: FastifyRequest, reply: FastifyReply, kind: BrowserCookie): Promise<void> {
    const frames = await this.frames(request);
    this.expire(reply, frames, [...frames.former, frames.current], kind);
  }

  /** Removes both tokens; the browser stays known as a device. */
  async clear(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const frames = await this.frames(request);
    for (const kind of ['access', 'refresh'] as const) {
      this.expire(reply, frames, [...frames.former, frames.current], kind);
    }
    this.forgetSent(request);
  }

  /** What the browser keeps no longer would only fill the memory of tokens, whose share is most of all that is remembered. */
  private forgetSent(request: FastifyRequest): void {
    for (const kind of ['access', 'refresh'] as const) {
      const token = this.peek(request, kind);
      if (token !== undefined) this.tokens.forget(kind, token);
    }
  }

  private async readKnown(header: string, kind: CookieKind): Promise<string[]> {
    const prefix = this.settings.current(cookiePrefix) ?? (await this.settings.get(cookiePrefix));
    const current = cookieValues(header, `${prefix}_${kind}`);
    if (current.length > 0) return current;
    const former = await this.settings.former(cookiePrefix);
    const values = former.map(({ value }) => cookieValues(header, `${value}_${kind}`));
    return values.find((found) => found.length > 0) ?? [];
  }

  private mayReload(): boolean {
    const now = performance.now();
    if (now - this.reloadedAt < RELOAD_PAUSE_MS) return false;
    this.reloadedAt = now;
    return true;
  }

  private set(reply: FastifyReply, frames: Frames, kind: CookieKind, value: string, maxAgeSeconds?: number): void {
    // First, for to a browser a former cookie may be the very one that is set.
    this.expire(reply, frames, frames.former, kind);
    const lifetime = maxAgeSeconds === undefined ? {} : { maxAgeSeconds };
    void reply.header('set-cookie', serializeCookie({ ...target(frames, frames.current, kind), value, ...lifetime }));
  }

  private expire(reply: FastifyReply, frames: Frames, which: readonly CookieFrame[], kind: CookieKind): void {
    for (const frame of which) void reply.header('set-cookie', expireCookie(target(frames, frame, kind)));
  }

  private async frames(request: FastifyRequest): Promise<Frames> {
    const { settings } = this;
    const current = await eachAttribute(
      (setting) => settings.current(setting),
      (setting) => settings.get(setting),
    );
    const former = await eachAttribute(
      (setting) => settings.currentFormer(setting),
      (setting) => settings.former(setting),
    );
    const sameSite = settings.current(cookieSameSite) ?? (await settings.get(cookieSameSite));
    const secure = areCookiesSecure(this.environment, contextOf(request).origin.secure);
    return { current, former: formerFrames(current, former, MOST_FORMER), sameSite, secure };
  }
}

/** What is known of each attribute of a frame; waits only for what is not, which is once a second. */
async function eachAttribute<A>(
  known: (setting: Setting<string>) => A | undefined,
  ask: (setting: Setting<string>) => Promise<A>,
): Promise<Record<keyof CookieFrame, A>> {
  return {
    prefix: known(cookiePrefix) ?? (await ask(cookiePrefix)),
    path: known(cookiePath) ?? (await ask(cookiePath)),
    domain: known(cookieDomain) ?? (await ask(cookieDomain)),
  };
}

function endOfAccess({ rotatedAt, expiresAt }: SessionSummary, ttlSeconds: number): Date {
  const end = Math.min(rotatedAt.getTime() + ttlSeconds * 1_000, expiresAt.getTime());
  return new Date(Math.floor(end / 1_000) * 1_000);
}

function target({ sameSite, secure }: Frames, { prefix, path, domain }: CookieFrame, kind: CookieKind): CookieTarget {
  return { name: `${prefix}_${kind}`, path, ...(domain !== '' && { domain }), sameSite, secure };
}

function secondsUntil(end: Date, now: Date): number {
  return Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1_000));
}
