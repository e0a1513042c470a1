import { Injectable } from '@nestjs/common';
import { RequestContext } from '../../platform/context';
import { DatabaseClock } from '../../platform/database';
import { describeDevice, RateLimiterService } from '../../platform/http';
import { MetricsService } from '../../platform/metrics';
import { SettingsReader } from '../../platform/settings';
import { RefreshBatcherService, RotatedSession } from './refresh-batcher.service';
import { SessionCache } from '../store/session.cache';
import { refreshPerMinutePerSession, refreshTtl } from '../store/session.settings';
import { SessionClaims } from '../tokens/token.service';
import { refreshes } from './refresh.metrics';

const LIMIT = { setting: refreshPerMinutePerSession, windowSeconds: 60 };

/** Rotates a session's counter, within the limit of refreshes per session. */
@Injectable()
export class SessionRotationService {
  constructor(
    private readonly rotations: RefreshBatcherService,
    private readonly cache: SessionCache,
    private readonly settings: SettingsReader,
    private readonly clock: DatabaseClock,
    private readonly limiter: RateLimiterService,
    private readonly metrics: MetricsService,
  ) {}

  /** One counter rotates once, so parallel calls that check before and count after cannot exceed the limit. */
  isLimitReached({ sessionId }: SessionClaims): Promise<boolean> {
    return this.limiter.isLimitReached(LIMIT, sessionId);
  }

  /** Throws `rate_limited`. */
  rejectLimited({ sessionId }: SessionClaims): Promise<never> {
    return this.limiter.reject(LIMIT, sessionId);
  }

  /** Returns undefined unless the claims hold the current counter of a live session of an active user. */
  async rotate(claims: SessionClaims, { ip, userAgent }: RequestContext): Promise<RotatedSession | undefined> {
    const idleSeconds = await this.settings.get(refreshTtl);
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
    await Promise.all([this.cache.rotated(session), this.limiter.note(LIMIT, session.id)]);
    this.metrics.count(refreshes, { outcome: 'rotated' });
    return session;
  }
}
