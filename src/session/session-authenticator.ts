import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccessPorts, CallerAuthenticator } from '../platform/access';
import { Caller } from '../platform/context';
import { DatabaseClock } from '../platform/database';
import { platformErrors, ProblemError } from '../platform/errors';
import { isLanguage } from '../platform/i18n';
import { SettingsReader } from '../platform/settings';
import { KnownUser, UserState } from '../users';
import { SessionActivity } from './session-activity';
import { SessionCookies } from './session-cookies';
import { KnownSession, SessionState } from './session-state';
import { sessionErrors } from './session.errors';
import { recentLoginSeconds } from './session.settings';
import { SessionClaims, TokenService } from './token.service';

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Whose browser it is, without a word about what it may do. */
export interface LoginState {
  readonly userId: string;
  readonly sessionId: string;
  /** The last proof of identity, in milliseconds since the epoch. */
  readonly authenticatedAt: number;
  /** Authentication Method References (RFC 8176). */
  readonly amr: readonly string[];
}

/** Finds the caller by the session's access token, and asks whether session and user still stand. */
@Injectable()
export class SessionAuthenticator extends CallerAuthenticator {
  constructor(
    private readonly ports: AccessPorts,
    private readonly cookies: SessionCookies,
    private readonly tokens: TokenService,
    private readonly sessions: SessionState,
    private readonly users: UserState,
    private readonly activity: SessionActivity,
    private readonly settings: SettingsReader,
    private readonly clock: DatabaseClock,
  ) {
    super();
  }

  /** Errors: `unauthenticated`, `token_expired`, `session_revoked`. */
  async authenticate(request: FastifyRequest): Promise<Caller> {
    const claims = await this.tokens.verifyOne('access', await this.presented(request));
    const [session, user, recentSeconds] = await Promise.all([
      this.current(claims),
      this.users.find(claims.userId),
      this.settings.get(recentLoginSeconds),
    ]);
    return this.callerOf(user, this.standing(claims, session), recentSeconds);
  }

  /** As `authenticate`, where token, session, user and settings are all remembered. Errors: the same. */
  override peek(request: FastifyRequest): Caller | undefined {
    const token = this.cookies.peek(request, 'access');
    const claims = token === undefined ? undefined : this.tokens.peek('access', token);
    if (!claims) return undefined;
    const session = this.sessions.peek(claims.sessionId);
    const user = this.users.peek(claims.userId);
    const recentSeconds = this.settings.current(recentLoginSeconds);
    if (!session || !user || recentSeconds === undefined || claims.counter > session.counter) return undefined;
    return this.callerOf(user, this.standing(claims, session), recentSeconds);
  }

  /**
   * Whoever is logged in with this browser; undefined where nobody is, or the password has to be changed first. Once its
   * access token has expired, the refresh token of the current counter tells as much, and is not rotated.
   */
  async recognise(request: FastifyRequest): Promise<LoginState | undefined> {
    try {
      return (await this.recogniseBy(request, 'access')) ?? (await this.recogniseBy(request, 'refresh'));
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) return undefined;
      throw error;
    }
  }

  private async recogniseBy(request: FastifyRequest, kind: 'access' | 'refresh'): Promise<LoginState | undefined> {
    const tokens = await this.cookies.read(request, kind);
    if (kind === 'access' && tokens.length === 0) return undefined;
    try {
      const claims = await this.tokens.verifyOne(kind, tokens);
      const session = this.standing(claims, await this.current(claims));
      if (kind === 'refresh' && claims.counter !== session.counter) return undefined;
      return await this.loginStateOf(session);
    } catch (error) {
      if (kind === 'access' && isExpiry(error)) return undefined;
      throw error;
    }
  }

  private async loginStateOf({ id, userId, authenticatedAt, amr }: KnownSession): Promise<LoginState | undefined> {
    const user = await this.users.find(userId);
    if (user?.status !== 'active') throw sessionErrors.sessionRevoked();
    if (user.mustChangePassword || (await this.ports.secondFactors.isEnrolmentDue(userId))) return undefined;
    this.activity.note(id);
    return { userId, sessionId: id, authenticatedAt, amr };
  }

  /** Bearer counts only where neither of our cookies is there: a browser's cookies cannot be talked over. */
  private async presented(request: FastifyRequest): Promise<string[]> {
    const access = await this.cookies.read(request, 'access');
    if (access.length > 0) return access;
    const bearer = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (bearer === undefined || (await this.cookies.read(request, 'refresh')).length > 0) {
      throw platformErrors.unauthenticated();
    }
    return [bearer];
  }

  private standing(claims: SessionClaims, session: KnownSession | undefined): KnownSession {
    if (session?.userId !== claims.userId || session.revoked) throw sessionErrors.sessionRevoked();
    if (session.expiresAt <= this.clock.now()) throw sessionErrors.tokenExpired();
    if (claims.counter < session.counter - 1) throw sessionErrors.tokenExpired();
    if (claims.counter > session.counter) throw sessionErrors.sessionRevoked();
    return session;
  }

  /** A counter from the future means that what is remembered is old. */
  private async current({ sessionId, counter }: SessionClaims): Promise<KnownSession | undefined> {
    const session = this.sessions.peek(sessionId) ?? (await this.sessions.find(sessionId));
    if (!session || counter <= session.counter) return session;
    return this.sessions.findAnew(sessionId);
  }

  private callerOf(user: KnownUser | undefined, session: KnownSession, recentSeconds: number): Caller {
    if (user?.status !== 'active') throw sessionErrors.sessionRevoked();
    this.activity.note(session.id);
    const recentFrom = this.clock.now() - recentSeconds * 1_000;
    return {
      userId: user.id,
      username: user.username,
      sessionId: session.id,
      locale: isLanguage(user.locale) ? user.locale : null,
      mustChangePassword: user.mustChangePassword,
      recentLogin: session.authenticatedAt > recentFrom,
      recentSecondFactor: session.secondFactorAt !== null && session.secondFactorAt > recentFrom,
      amr: session.amr,
    };
  }
}

const isExpiry = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === sessionErrors.tokenExpired.code;
