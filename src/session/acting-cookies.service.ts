import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, contextOf } from '../platform/context';
import { platformErrors, ProblemError } from '../platform/errors';
import { ActingSessionsService } from './acting/acting-sessions.service';
import { RefreshService } from './refresh/refresh.service';
import { SessionCookiesService } from './tokens/session-cookies.service';
import { SessionRepository, SessionSummary, SessionWithDbTime } from './store/session.repository';
import { SessionClaims, TokenService, TokenType } from './tokens/token.service';

interface SentToken {
  readonly token: string;
  readonly claims: SessionClaims;
}

/** Further cookies of the same name are ignored. */
const MAX_TOKENS = 4;

const isUnauthenticated = (error: unknown): boolean => error instanceof ProblemError && error.status === 401;

/**
 * The cookies of a browser in which a user acts as another. Meanwhile a cookie keeps the user's own refresh token, so only
 * the browser that began to act gets the user's session back: a token of the acting session alone does not.
 */
@Injectable()
export class ActingCookiesService {
  constructor(
    private readonly cookies: SessionCookiesService,
    private readonly tokens: TokenService,
    private readonly sessions: SessionRepository,
    private readonly acting: ActingSessionsService,
    private readonly refreshes: RefreshService,
  ) {}

  /**
   * Sets the cookies of the acting session, and keeps a refresh token of the own one. That session is refreshed first, so
   * that no other tab can make the kept token an old one. Returns the expiry of the access token. Errors: those of
   * `RefreshService.refresh`.
   */
  async begin(
    request: FastifyRequest,
    reply: FastifyReply,
    { sessionId }: Pick<Caller, 'sessionId'>,
    session: SessionWithDbTime,
  ): Promise<Date> {
    try {
      const own = await this.tokenOf('refresh', request, (claims) => claims.sessionId === sessionId);
      if (own) await this.keep(request, reply, await this.refreshes.refresh([own.token], contextOf(request)));
    } catch (error) {
      // The browser gets no cookies of the session, which must not live on unused.
      await this.acting.end(session.id);
      throw error;
    }
    return this.cookies.write(request, reply, session);
  }

  /**
   * Ends the acting session of the browser, and sets the cookies of the own session again. Returns that session with the
   * expiry of its access token. Without a way back it clears the cookies. Throws `not_found` if the browser has the
   * ordinary session of a user, `unauthenticated`, `token_expired`, `session_revoked` or `refresh_reused`.
   */
  async end(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ readonly session: SessionSummary; readonly accessEnd: Date }> {
    const current = await this.currentOf(request);
    if (current?.actorId) await this.acting.end(current.id, { byActor: true });
    try {
      const session = await this.refreshOwn(request, current);
      return { session, accessEnd: await this.cookies.write(request, reply, session) };
    } catch (error) {
      if (isUnauthenticated(error)) await this.cookies.clear(request, reply);
      throw error;
    }
  }

  /** Same as `endReplaced`, unless the browser has the session already. */
  async endReplacedBy(sessionId: string, request: FastifyRequest): Promise<void> {
    const own = await this.tokenOf('refresh', request);
    if (own?.claims.sessionId !== sessionId) await this.endReplaced(request);
  }

  /**
   * Ends the acting session of the browser, which gets the cookies of another session. The cookie of the own session
   * identifies it. Without that cookie, the tokens of the acting session do.
   */
  async endReplaced(request: FastifyRequest): Promise<void> {
    const kept = await this.firstValid('refresh', await this.cookies.read(request, 'actor'));
    if (kept) await this.acting.endFrom([kept.claims.sessionId]);
    const sent = (await this.tokenOf('refresh', request)) ?? (await this.tokenOf('access', request));
    if (sent) await this.acting.end(sent.claims.sessionId, { byActor: true });
  }

  /** Whether a user acts as another in this browser, or did until the session ended. */
  async mayAct(request: FastifyRequest): Promise<boolean> {
    return (await this.cookies.read(request, 'actor')).length > 0;
  }

  private async keep(request: FastifyRequest, reply: FastifyReply, own: SessionSummary): Promise<void> {
    const { userId, counter, rotatedAt, expiresAt } = own;
    const token = await this.tokens.issue('refresh', { userId, sessionId: own.id, counter }, rotatedAt, expiresAt);
    const seconds = Math.max(0, Math.floor((expiresAt.getTime() - own.now.getTime()) / 1_000));
    await this.cookies.writeBrowser(request, reply, 'actor', token, own.remember ? seconds : undefined);
  }

  /** The session of the browser's cookies, also after it has ended. Throws `not_found` for an ordinary live one. */
  private async currentOf(request: FastifyRequest): Promise<SessionWithDbTime | undefined> {
    const found = (await this.tokenOf('refresh', request)) ?? (await this.tokenOf('access', request));
    const session = found && (await this.sessions.find(found.claims.sessionId));
    if (!session) return undefined;
    const isLive = session.revokedAt === null && session.expiresAt > session.now;
    if (session.actorId === null && isLive) throw platformErrors.notFound();
    return session;
  }

  /** The way back leads to the session from which the user began to act, and to no other. */
  private async refreshOwn(request: FastifyRequest, current: SessionWithDbTime | undefined): Promise<SessionSummary> {
    const kept = await this.cookies.read(request, 'actor');
    const own = await this.firstValid('refresh', kept, ({ sessionId }) =>
      current?.actorSessionId ? sessionId === current.actorSessionId : true,
    );
    if (!own) throw platformErrors.unauthenticated();
    return this.refreshes.refresh([own.token], contextOf(request));
  }

  private async tokenOf(
    type: TokenType,
    request: FastifyRequest,
    isWanted?: (claims: SessionClaims) => boolean,
  ): Promise<SentToken | undefined> {
    return this.firstValid(type, await this.cookies.read(request, type), isWanted);
  }

  /** Of several cookies with one name, another host may have set some. */
  private async firstValid(
    type: TokenType,
    tokens: readonly string[],
    isWanted: (claims: SessionClaims) => boolean = () => true,
  ): Promise<SentToken | undefined> {
    for (const token of tokens.slice(0, MAX_TOKENS)) {
      const claims = await this.claimsOf(type, token);
      if (claims && isWanted(claims)) return { token, claims };
    }
    return undefined;
  }

  private async claimsOf(type: TokenType, token: string): Promise<SessionClaims | undefined> {
    try {
      return await this.tokens.verifyOne(type, [token]);
    } catch (error) {
      if (isUnauthenticated(error)) return undefined;
      throw error;
    }
  }
}
