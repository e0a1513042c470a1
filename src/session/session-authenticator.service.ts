import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { accessErrors, CallerAuthenticator, DutyBearer, dutyProblem, PendingDutiesService } from '../platform/access';
import { Caller, findContext } from '../platform/context';
import type { AssertionSubject } from '../platform/crypto';
import { DatabaseClock } from '../platform/database';
import { platformErrors, ProblemError } from '../platform/errors';
import { allOf, andThen, MaybePromise } from '../platform/util';
import { UserCache } from '../users';
import { SessionCallersService } from './session-callers.service';
import { SessionCookiesService } from './tokens/session-cookies.service';
import { CachedSession } from './store/cached-session';
import { SessionCache } from './store/session.cache';
import { sessionErrors } from './store/session.errors';
import { SessionClaims, TokenService } from './tokens/token.service';

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** The session of a browser, without permissions. */
export interface BrowserSession {
  readonly userId: string;
  readonly sessionId: string;
  /** The last authentication, in milliseconds since the epoch. */
  readonly authenticatedAt: number;
  /** Authentication Method References (RFC 8176). */
  readonly amr: readonly string[];
  /** Type of the login method, or `oauth:<provider>`. */
  readonly loginMethod: string;
}

/** The user of an access token. */
export interface TokenHolder {
  readonly caller: Caller;
  /** When the token expires by the database's clock, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

interface Recognised {
  readonly login: BrowserSession;
  /** What the user must do before anything else. */
  readonly unfinished: ProblemError | undefined;
}

/** Authenticates requests by the session's access token, and checks that the session and the user are still active. */
@Injectable()
export class SessionAuthenticatorService extends CallerAuthenticator {
  constructor(
    private readonly duties: PendingDutiesService,
    private readonly cookies: SessionCookiesService,
    private readonly tokens: TokenService,
    private readonly sessions: SessionCache,
    private readonly users: UserCache,
    private readonly callers: SessionCallersService,
    private readonly clock: DatabaseClock,
  ) {
    super();
  }

  /** Throws `unauthenticated`, `token_expired` or `session_revoked`. */
  authenticate(request: FastifyRequest): MaybePromise<Caller> {
    const held = findContext(request)?.heldSession;
    if (held) return this.callerOfHeld(held);
    return andThen(this.presented(request), (tokens) =>
      andThen(this.tokens.verifyOne('access', tokens), (claims) => this.callerOf(claims)),
    );
  }

  /**
   * Authenticates by the access tokens that another service received, usually one. Reads session and user from the
   * database, so that the result includes every change committed before. Errors: as `authenticate`.
   */
  async authenticateTokens(tokens: readonly string[]): Promise<TokenHolder> {
    const claims = await this.tokens.verifyOne('access', tokens);
    await Promise.all([this.sessions.reload(claims.sessionId), this.users.reload(claims.userId)]);
    return { caller: await this.callerOf(claims), expiresAt: claims.expiresAt };
  }

  /** Same as `authenticateTokens`, for a session that a verified assertion names. */
  async authenticateSession({ userId, sessionId }: AssertionSubject): Promise<Caller> {
    const [session, user] = await Promise.all([this.sessions.reload(sessionId), this.users.reload(userId)]);
    return this.callers.describe(user, this.requireActive(userId, session), await this.callers.recentSeconds());
  }

  /**
   * Checks that a session found earlier, and its user, are still active, without noting activity. Returns what the duties
   * of the user depend on.
   *
   * @param options.fromDatabase reads past the caches, which are at most a second old
   * Errors: `token_expired`, `session_revoked`.
   */
  async assertActive({ userId, sessionId }: AssertionSubject, { fromDatabase = false } = {}): Promise<DutyBearer> {
    if (fromDatabase) await Promise.all([this.sessions.reload(sessionId), this.users.reload(userId)]);
    const [session, user] = await Promise.all([this.sessions.get(sessionId), this.users.get(userId)]);
    const active = this.requireActive(userId, session);
    return this.callers.dutyBearer(await this.callers.assertActive(user, active), active);
  }

  /**
   * The browser's session, or undefined when there is none, the user must first change the password, accept terms or
   * enrol a second factor, or another user acts as this one, because only the user may log in to applications. After the access token
   * has expired, accepts the refresh token of the current counter without rotating it.
   */
  async recognise(request: FastifyRequest): Promise<BrowserSession | undefined> {
    const found = await this.recogniseAny(request);
    return found?.unfinished ? undefined : found?.login;
  }

  /**
   * Same as `recognise`, but throws `password_change_required`, `terms_required`, `mfa_enrolment_required` or
   * `acting_restricted` for a session that does not count.
   */
  async recogniseFinished(request: FastifyRequest): Promise<BrowserSession | undefined> {
    const found = await this.recogniseAny(request);
    if (found?.unfinished) throw found.unfinished;
    return found?.login;
  }

  private async recogniseAny(request: FastifyRequest): Promise<Recognised | undefined> {
    try {
      return (await this.recogniseBy(request, 'access')) ?? (await this.recogniseBy(request, 'refresh'));
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) return undefined;
      throw error;
    }
  }

  private async recogniseBy(request: FastifyRequest, kind: 'access' | 'refresh'): Promise<Recognised | undefined> {
    const tokens = await this.cookies.read(request, kind);
    if (kind === 'access' && tokens.length === 0) return undefined;
    if (kind === 'refresh' && (await this.cookies.nameTwoUsers(request))) return undefined;
    try {
      const claims = await this.tokens.verifyOne(kind, tokens);
      const session = this.requireLive(claims, await this.session(claims));
      if (kind === 'refresh' && claims.counter !== session.counter) return undefined;
      return await this.recognised(session);
    } catch (error) {
      if (kind === 'access' && isExpiry(error)) return undefined;
      throw error;
    }
  }

  private async recognised(session: CachedSession): Promise<Recognised> {
    const { id, userId, authenticatedAt, amr, loginMethod, actor } = session;
    const user = await this.users.get(userId);
    if (user?.status !== 'active') throw sessionErrors.sessionRevoked();
    const login = { userId, sessionId: id, authenticatedAt, amr, loginMethod };
    if (actor) return { login, unfinished: accessErrors.actingRestricted() };
    const duty = await this.duties.list(await this.callers.dutyBearer(user, session));
    if (duty) return { login, unfinished: dutyProblem(duty) };
    this.callers.note(id);
    return { login, unfinished: undefined };
  }

  /** A bearer token counts only without session cookies, so that the header cannot override a browser's cookies. */
  private presented(request: FastifyRequest): MaybePromise<string[]> {
    return andThen(this.cookies.read(request, 'access'), (access) =>
      access.length > 0 ? access : this.presentedAsBearer(request),
    );
  }

  private presentedAsBearer(request: FastifyRequest): MaybePromise<string[]> {
    const { authorization } = request.headers;
    const bearer = BEARER.exec(authorization ?? '')?.[1];
    return andThen(this.cookies.read(request, 'refresh'), (refresh) => {
      // A browser that has lost the access cookie alone refreshes.
      if (refresh.length > 0 && authorization === undefined) throw sessionErrors.tokenExpired();
      if (refresh.length > 0 || bearer === undefined) throw platformErrors.unauthenticated();
      return [bearer];
    });
  }

  private requireLive({ userId, counter }: SessionClaims, session: CachedSession | undefined): CachedSession {
    const active = this.requireActive(userId, session);
    if (counter < active.counter - 1) throw sessionErrors.tokenExpired();
    if (counter > active.counter) throw sessionErrors.sessionRevoked();
    return active;
  }

  private requireActive(userId: string, session: CachedSession | undefined): CachedSession {
    if (session?.userId !== userId || session.revoked) throw sessionErrors.sessionRevoked();
    if (session.expiresAt <= this.clock.now()) throw sessionErrors.tokenExpired();
    return session;
  }

  /** A counter ahead of the cached one means that the cached session is outdated. */
  private session({ sessionId, counter }: SessionClaims): MaybePromise<CachedSession | undefined> {
    return andThen(this.sessions.get(sessionId), (session) =>
      !session || counter <= session.counter ? session : this.sessions.reload(sessionId),
    );
  }

  private callerOf(claims: SessionClaims): MaybePromise<Caller> {
    const found = allOf([this.session(claims), this.users.get(claims.userId), this.callers.recentSeconds()]);
    return andThen(found, ([session, user, recentSeconds]) =>
      this.callers.describe(user, this.requireLive(claims, session), recentSeconds),
    );
  }

  private callerOfHeld({ userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>): MaybePromise<Caller> {
    const found = allOf([this.sessions.get(sessionId), this.users.get(userId), this.callers.recentSeconds()]);
    return andThen(found, ([session, user, recentSeconds]) =>
      this.callers.describe(user, this.requireActive(userId, session), recentSeconds),
    );
  }
}

const isExpiry = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === sessionErrors.tokenExpired.code;
