import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Environment } from '../platform/config';
import { contextOf } from '../platform/context';
import {
  CookieTarget,
  cookieDomain,
  cookiePath,
  cookiePrefix,
  cookieSameSite,
  cookieValues,
  expireCookie,
  serializeCookie,
} from '../platform/http';
import { SettingsReader } from '../platform/settings';
import { SessionNow } from './session.repository';
import { accessTtl } from './session.settings';
import { TokenService, TokenType } from './token.service';

type Frame = Omit<CookieTarget, 'name'> & { readonly prefix: string };

export type CookieKind = TokenType | 'device';

/** Carries the session's tokens in cookies that no script can read; the only place that names or writes them. */
@Injectable()
export class SessionCookies {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
    private readonly tokens: TokenService,
  ) {}

  /** Every value the browser sent under the cookie's name; there can be several, of other paths or domains. */
  async read(request: FastifyRequest, kind: CookieKind): Promise<string[]> {
    return cookieValues(request.raw.headers.cookie, `${await this.settings.get(cookiePrefix)}_${kind}`);
  }

  /** Sets both tokens of the session's current counter; answers when the access token ends. */
  async write(request: FastifyRequest, reply: FastifyReply, session: SessionNow): Promise<Date> {
    const accessEnd = await this.accessEnd(session);
    const subject = { userId: session.userId, sessionId: session.id, counter: session.counter };
    const [frame, access, refresh] = await Promise.all([
      this.frame(request),
      this.tokens.issue('access', subject, session.rotatedAt, accessEnd),
      this.tokens.issue('refresh', subject, session.rotatedAt, session.expiresAt),
    ]);
    // The access cookie outlives its token, so that a client learns "expired, refresh" instead of "nobody".
    const maxAgeSeconds = session.remember ? secondsUntil(session.expiresAt, session.now) : undefined;
    this.set(reply, frame, 'access', access, maxAgeSeconds);
    this.set(reply, frame, 'refresh', refresh, maxAgeSeconds);
    return accessEnd;
  }

  async writeDevice(request: FastifyRequest, reply: FastifyReply, value: string, maxAgeSeconds: number): Promise<void> {
    this.set(reply, await this.frame(request), 'device', value, maxAgeSeconds);
  }

  /** Removes both tokens; the browser stays known as a device. */
  async clear(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { prefix, ...frame } = await this.frame(request);
    for (const kind of ['access', 'refresh']) {
      void reply.header('set-cookie', expireCookie({ ...frame, name: `${prefix}_${kind}` }));
    }
  }

  private set(
    reply: FastifyReply,
    { prefix, ...frame }: Frame,
    kind: CookieKind,
    value: string,
    maxAgeSeconds?: number,
  ): void {
    const lifetime = maxAgeSeconds === undefined ? {} : { maxAgeSeconds };
    void reply.header('set-cookie', serializeCookie({ ...frame, name: `${prefix}_${kind}`, value, ...lifetime }));
  }

  private async accessEnd(session: SessionNow): Promise<Date> {
    const ttl = await this.settings.get(accessTtl);
    const end = Math.min(session.rotatedAt.getTime() + ttl * 1_000, session.expiresAt.getTime());
    return new Date(Math.floor(end / 1_000) * 1_000);
  }

  private async frame(request: FastifyRequest): Promise<Frame> {
    const [prefix, path, domain, sameSite] = await Promise.all([
      this.settings.get(cookiePrefix),
      this.settings.get(cookiePath),
      this.settings.get(cookieDomain),
      this.settings.get(cookieSameSite),
    ]);
    const { isProduction, cookieInsecure } = this.environment;
    const secure = contextOf(request).origin.secure || (isProduction && !cookieInsecure);
    return { prefix, path, ...(domain !== '' && { domain }), sameSite, secure };
  }
}

function secondsUntil(end: Date, now: Date): number {
  return Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1_000));
}
