import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Transactions } from '../../platform/database';
import { DomainEvents } from '../../platform/jobs/events';
import { MetricsService } from '../../platform/metrics';
import { SettingsReader } from '../../platform/settings';
import { UserCache } from '../../users';
import { SessionCache } from '../store/session.cache';
import { sessionErrors } from '../store/session.errors';
import { sessionsEnded } from '../store/session.events';
import { SessionRepository, SessionSummary, SessionWithDbTime } from '../store/session.repository';
import { versionGrace } from '../store/session.settings';
import { SessionClaims } from '../tokens/token.service';
import { sessionActs } from '../store/session.acts';
import { refreshes } from './refresh.metrics';

/**
 * Handles refresh tokens that were already rotated. The previous token is accepted for a short grace period, so that
 * tabs that refresh at once stay logged in. Any older token means that a copy exists, so the session is revoked (RFC
 * 9700 §4.14.2).
 */
@Injectable()
export class RefreshReuseService {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly cache: SessionCache,
    private readonly events: DomainEvents,
    private readonly users: UserCache,
    private readonly transactions: Transactions,
    private readonly settings: SettingsReader,
    private readonly audit: AuditService,
    private readonly metrics: MetricsService,
  ) {}

  /** Throws `refresh_reused`. */
  async acceptOrRevoke(session: SessionWithDbTime, claims: SessionClaims): Promise<SessionSummary> {
    if (await this.isWithinGrace(session, claims.counter)) {
      this.metrics.count(refreshes, { outcome: 'grace' });
      return session;
    }
    await this.revoke(session, claims);
    throw sessionErrors.refreshReused();
  }

  private async isWithinGrace(session: SessionWithDbTime, counter: number): Promise<boolean> {
    if (counter !== session.counter - 1) return false;
    const graceMs = (await this.settings.get(versionGrace)) * 1_000;
    return session.now.getTime() - session.rotatedAt.getTime() <= graceMs;
  }

  private async revoke(session: SessionWithDbTime, { counter }: SessionClaims): Promise<void> {
    await this.transactions.run(async () => {
      // Of parallel reuses, only one revokes the session and is audited.
      if (!(await this.sessions.revoke(session.id, session.userId))) return;
      await this.audit.record(sessionActs.reuseRefresh, {
        outcome: 'failure',
        sessionId: session.id,
        // No session acted, so only the target leads from the user to the event.
        target: { type: 'user', id: session.userId, label: (await this.users.get(session.userId))?.username ?? '' },
        after: { session_id: session.id, counter: session.counter, reused: counter },
      });
      await this.events.publish(sessionsEnded, { userId: session.userId, ids: [session.id] });
      await this.cache.ended([session.id]);
    });
  }
}
