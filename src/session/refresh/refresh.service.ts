import { Injectable } from '@nestjs/common';
import { RequestContext } from '../../platform/context';
import { DatabaseClock } from '../../platform/database';
import { MetricsService } from '../../platform/metrics';
import { toProblem } from '../../platform/http/problems';
import { UserCache } from '../../users';
import { ActingPolicyService } from '../acting/acting-policy.service';
import { actorOf } from '../store/cached-session';
import { RefreshReuseService } from './refresh-reuse.service';
import { SessionRotationService } from './session-rotation.service';
import { sessionErrors } from '../store/session.errors';
import { SessionRepository, SessionSummary } from '../store/session.repository';
import { SessionClaims, TokenService } from '../tokens/token.service';
import { refreshes } from './refresh.metrics';

interface Attempt {
  readonly claims: SessionClaims;
  readonly isLimitReached: boolean;
  readonly request: RequestContext;
  readonly isRepeated: boolean;
}

/** Exchanges a refresh token for a session with the next counter. `RefreshReuseService` handles older tokens. */
@Injectable()
export class RefreshService {
  constructor(
    private readonly tokens: TokenService,
    private readonly sessions: SessionRepository,
    private readonly rotation: SessionRotationService,
    private readonly reuse: RefreshReuseService,
    private readonly users: UserCache,
    private readonly clock: DatabaseClock,
    private readonly metrics: MetricsService,
    private readonly acting: ActingPolicyService,
  ) {}

  /** Throws `unauthenticated`, `token_expired`, `session_revoked`, `refresh_reused` or `rate_limited`. */
  async refresh(tokens: readonly string[], request: RequestContext): Promise<SessionSummary> {
    try {
      const session = await this.attempt(tokens, request);
      await this.acting.assertAllowed({ id: session.id, userId: session.userId, actor: actorOf(session) });
      return session;
    } catch (error) {
      this.metrics.count(refreshes, { outcome: toProblem(error).code });
      throw error;
    }
  }

  private async attempt(tokens: readonly string[], request: RequestContext): Promise<SessionSummary> {
    const claims = await this.tokens.verifyOne('refresh', tokens);
    const isLimitReached = await this.rotation.isLimitReached(claims);
    const rotated = isLimitReached ? undefined : await this.rotation.rotate(claims, request);
    return rotated ?? this.acceptOrReject({ claims, isLimitReached, request, isRepeated: false });
  }

  private async acceptOrReject(attempt: Attempt): Promise<SessionSummary> {
    const { claims } = attempt;
    const session = await this.sessions.find(claims.sessionId);
    if (session?.userId !== claims.userId || session.revokedAt) throw sessionErrors.sessionRevoked();
    this.clock.observe(session.now);
    if (session.expiresAt <= session.now) throw sessionErrors.tokenExpired();
    if (!(await this.mayLogIn(session.userId))) throw sessionErrors.sessionRevoked();
    if (claims.counter >= session.counter) return this.retryCurrent(attempt);
    return this.reuse.acceptOrRevoke(session, claims);
  }

  private async mayLogIn(userId: string): Promise<boolean> {
    return (await this.users.get(userId))?.status === 'active';
  }

  /**
   * The newest token did not rotate: the session reached its limit, the clock was not yet in sync with the database, or
   * something just ended the session. A parallel call may have rotated it in the meantime.
   */
  private async retryCurrent(attempt: Attempt): Promise<SessionSummary> {
    const { claims, isLimitReached, request, isRepeated } = attempt;
    if (isLimitReached) await this.rotation.rejectLimited(claims);
    if (isRepeated) throw sessionErrors.sessionRevoked();
    return (await this.rotation.rotate(claims, request)) ?? this.acceptOrReject({ ...attempt, isRepeated: true });
  }
}
