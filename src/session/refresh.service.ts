import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { RequestContext } from '../platform/context';
import { DatabaseClock, Transactions } from '../platform/database';
import { describeDevice, RateLimiter, refreshPerMinutePerSession } from '../platform/http';
import { Metrics } from '../platform/metrics';
import { toProblem } from '../platform/problems';
import { SettingsReader } from '../platform/settings';
import { UserState } from '../users';
import { Rotations } from './rotations';
import { SessionEndings } from './session-endings';
import { SessionState } from './session-state';
import { sessionErrors } from './session.errors';
import { SessionNow, SessionRepository, SessionSummary } from './session.repository';
import { refreshTtl, versionGrace } from './session.settings';
import { SessionClaims, TokenService } from './token.service';

const LIMIT = { setting: refreshPerMinutePerSession, windowSeconds: 60 };

interface Attempt {
  readonly claims: SessionClaims;
  readonly isSpent: boolean;
  readonly request: RequestContext;
  readonly isRepeated: boolean;
}

/**
 * Rotates a session's counter. The token before the current one is honoured for a short grace, so tabs that refresh at
 * once all stay logged in; an older or later one means that a copy is about, and ends the session (RFC 9700 §4.14.2).
 */
@Injectable()
export class RefreshService {
  constructor(
    private readonly tokens: TokenService,
    private readonly sessions: SessionRepository,
    private readonly rotations: Rotations,
    private readonly state: SessionState,
    private readonly endings: SessionEndings,
    private readonly users: UserState,
    private readonly transactions: Transactions,
    private readonly settings: SettingsReader,
    private readonly clock: DatabaseClock,
    private readonly limiter: RateLimiter,
    private readonly audit: Audit,
    private readonly metrics: Metrics,
  ) {}

  /** Errors: `unauthenticated`, `token_expired`, `session_revoked`, `refresh_reused`, `rate_limited`. */
  async refresh(tokens: readonly string[], request: RequestContext): Promise<SessionSummary> {
    try {
      return await this.attempt(tokens, request);
    } catch (error) {
      this.metrics.countRefresh(toProblem(error).code);
      throw error;
    }
  }

  private async attempt(tokens: readonly string[], request: RequestContext): Promise<SessionSummary> {
    const claims = await this.tokens.verifyOne('refresh', tokens);
    // One counter rotates once, so looking before and counting after cannot be overrun by parallel calls.
    const isSpent = await this.limiter.isSpent(LIMIT, claims.sessionId);
    const rotated = isSpent ? undefined : await this.rotate(claims, request);
    return rotated ?? this.honourOrRevoke({ claims, isSpent, request, isRepeated: false });
  }

  private async rotate(claims: SessionClaims, { ip, userAgent }: RequestContext): Promise<SessionSummary | undefined> {
    const idleSeconds = this.settings.current(refreshTtl) ?? (await this.settings.get(refreshTtl));
    const session = await this.rotations.rotate({
      id: claims.sessionId,
      counter: claims.counter,
      idleSeconds,
      ip,
      userAgent,
      device: describeDevice(userAgent),
      askedAt: this.clock.now(),
    });
    if (!session) return undefined;
    this.clock.observe(session.now);
    this.state.rotated(session.id);
    await this.limiter.note(LIMIT, session.id);
    this.metrics.countRefresh('rotated');
    return session;
  }

  private async honourOrRevoke(attempt: Attempt): Promise<SessionSummary> {
    const { claims } = attempt;
    const session = await this.sessions.find(claims.sessionId);
    if (session?.userId !== claims.userId || session.revokedAt) throw sessionErrors.sessionRevoked();
    this.clock.observe(session.now);
    if (session.expiresAt <= session.now) throw sessionErrors.tokenExpired();
    if (!(await this.mayLogIn(session.userId))) throw sessionErrors.sessionRevoked();
    if (claims.counter >= session.counter) return this.retryCurrent(attempt);
    if (await this.isWithinGrace(session, claims.counter)) {
      this.metrics.countRefresh('grace');
      return session;
    }
    await this.revokeReused(session, claims);
    throw sessionErrors.refreshReused();
  }

  private async mayLogIn(userId: string): Promise<boolean> {
    return (await this.users.find(userId))?.status === 'active';
  }

  /**
   * The newest token did not rotate: its session has spent its budget, the database's clock was not known rightly before
   * this look at it, or something ended the session this very moment. A parallel call may rotate it in the meantime.
   */
  private async retryCurrent(attempt: Attempt): Promise<SessionSummary> {
    const { claims, isSpent, request, isRepeated } = attempt;
    if (isSpent) await this.limiter.refuse(LIMIT, claims.sessionId);
    if (isRepeated) throw sessionErrors.sessionRevoked();
    return (await this.rotate(claims, request)) ?? this.honourOrRevoke({ ...attempt, isRepeated: true });
  }

  private async isWithinGrace(session: SessionNow, counter: number): Promise<boolean> {
    if (counter !== session.counter - 1) return false;
    const graceMs = (await this.settings.get(versionGrace)) * 1_000;
    return session.now.getTime() - session.rotatedAt.getTime() <= graceMs;
  }

  private async revokeReused(session: SessionNow, { counter }: SessionClaims): Promise<void> {
    await this.transactions.run(async () => {
      // Of parallel reuses one ends the session and is written down.
      if (!(await this.sessions.revoke(session.id, session.userId))) return;
      await this.audit.record({
        action: 'session.refresh_reused',
        outcome: 'failure',
        sessionId: session.id,
        target: { type: 'session', id: session.id },
        after: { counter: session.counter, reused: counter },
      });
      await this.endings.tell({ userId: session.userId, ids: [session.id] });
      await this.state.changed(session.id);
    });
  }
}
