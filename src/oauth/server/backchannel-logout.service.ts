import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KeyedConcurrencyLimiter, ConcurrencyLimitError } from '../../platform/jobs';
import { Environment } from '../../platform/config';
import { Log } from '../../platform/logging';
import { MetricsService } from '../../platform/metrics';
import { OutboundError } from '../../platform/outbound';
import { OidcEngineService } from './engine/oidc-engine.service';
import { LeasedNotices, BackchannelLogoutOutboxService } from './backchannel-logout-outbox.service';
import { LogoutNotice } from './storage/logout-notice.repository';
import { OidcModelRepository } from './storage/oidc-model.repository';

interface NotifiableClient {
  backchannelLogout(userId: string | undefined, sid: string): Promise<void>;
}

/** left: not attempted, a later lease delivers it. */
type Outcome = 'told' | 'unasked' | 'left' | { readonly reason: string; readonly err?: unknown };

/** Less than the limit for outbound requests, so that third-party logins are never blocked. */
const LIMITS = { maxRunning: 20, maxRunningPerKey: 4, maxWaitingPerKey: 1_000 };
/** The limit for all applications together, including notices that wait for a retry. Bounds the memory. */
const MAX_IN_HAND = 10_000;
/**
 * During shutdown, attempts start within this time, or within a quarter of the shutdown time. Each takes at most five
 * seconds.
 */
const LAST_TRIES_MS = 5_000;

const DEFERRED = 'Back-channel logout of an application failed, retrying later';
const GIVEN_UP = 'Back-channel logout of an application failed finally';

/**
 * Notifies applications of logouts (OpenID Connect Back-Channel Logout 1.0). It sends several at a time but few per
 * application, so that a hanging application does not delay others. Every failure is retried, because §2.8 uses 400
 * also for failures of the application itself: several times in a row (once more, immediately, during shutdown), then
 * once per lease. Notices that cannot be attempted in time stay for a later lease.
 */
@Injectable()
export class BackchannelLogoutService {
  /** The pauses between the first attempts. */
  protected readonly pausesMs: readonly number[] = [1_000, 5_000, 30_000];
  private readonly limiter = new KeyedConcurrencyLimiter(LIMITS);
  /** Notices that this instance has logged as deferred. */
  private readonly deferred = new LRUCache<string, true>({ max: MAX_IN_HAND });
  private lastTriesUntil = Infinity;
  private inHand = 0;

  constructor(
    private readonly engine: OidcEngineService,
    private readonly outbox: BackchannelLogoutOutboxService,
    private readonly artifacts: OidcModelRepository,
    private readonly metrics: MetricsService,
    private readonly log: Log,
    private readonly environment: Environment,
  ) {}

  /** Whether new notices should stay in the outbox. */
  get isFull(): boolean {
    return this.inHand >= MAX_IN_HAND;
  }

  /** Never fails: a failed notice is logged and counted. */
  async notify({ notices, until }: LeasedNotices, stopping: AbortSignal): Promise<void> {
    const lastTriesMs = Math.min(LAST_TRIES_MS, this.environment.shutdownSeconds * 250);
    const limitTries = (): void => {
      this.lastTriesUntil = Math.min(this.lastTriesUntil, performance.now() + lastTriesMs);
    };
    if (stopping.aborted) limitTries();
    stopping.addEventListener('abort', limitTries);
    this.inHand += notices.length;
    const areLeft = await Promise.all(notices.map((notice) => this.notifyOne(notice, until, stopping)));
    stopping.removeEventListener('abort', limitTries);
    await this.outbox.giveBack(notices.filter(({ attempts }, index) => areLeft[index] && attempts > 0));
  }

  /** Returns whether the notice was not attempted. */
  private async notifyOne(notice: LogoutNotice, until: number, stopping: AbortSignal): Promise<boolean> {
    const outcome = await this.tryInARow(notice, until, stopping);
    await this.settle(notice, outcome);
    this.inHand--;
    return outcome === 'left';
  }

  private async tryInARow(notice: LogoutNotice, until: number, stopping: AbortSignal): Promise<Outcome> {
    for (const pauseMs of notice.attempts === 0 ? this.pausesMs : []) {
      const isLast = stopping.aborted;
      const outcome = await this.try(notice, until);
      if (typeof outcome === 'string' || isLast) return outcome;
      // A shutdown aborts the pause.
      await setTimeout(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
    return this.try(notice, until);
  }

  private async settle(notice: LogoutNotice, outcome: Outcome): Promise<void> {
    if (outcome === 'left') return;
    if (outcome === 'told') this.metrics.countLogoutNotice('told');
    if (typeof outcome === 'object' && !this.giveUp(notice, outcome)) return;
    await this.outbox.strikeOff(notice);
  }

  /**
   * Returns whether the failure is final, which it is after the last attempt. A deferred notice is logged once before
   * that.
   */
  private giveUp(notice: LogoutNotice, failure: object): boolean {
    const isGivenUp = this.outbox.isLastTry(notice);
    if (!isGivenUp && !this.isNewlyDeferred(notice)) return false;
    this.metrics.countLogoutNotice(isGivenUp ? 'failed' : 'deferred');
    this.log.warn(isGivenUp ? GIVEN_UP : DEFERRED, { client_id: notice.clientId, ...failure });
    return isGivenUp;
  }

  /**
   * Logs after the first attempts. An instance that leases the notice later cannot know whether they were completed.
   */
  private isNewlyDeferred({ id, attempts }: LogoutNotice): boolean {
    if (attempts > 1 || this.deferred.has(id)) return false;
    this.deferred.set(id, true);
    return true;
  }

  private async try(notice: LogoutNotice, until: number): Promise<Outcome> {
    try {
      return await this.limiter.run(notice.clientId, () => this.send(notice, until));
    } catch (error) {
      return error instanceof ConcurrencyLimitError ? 'left' : failureOf(error);
    }
  }

  private async send(notice: LogoutNotice, until: number): Promise<Outcome> {
    if (performance.now() > Math.min(this.lastTriesUntil, until)) return 'left';
    const client = await (await this.engine.current()).Client.find(notice.clientId);
    if (!client?.backchannelLogoutUri) return 'unasked';
    await (client as unknown as NotifiableClient).backchannelLogout(await this.subjectOf(notice), notice.sid);
    return 'told';
  }

  /**
   * A library that matches `sub` ends all sessions of the user. One that matches `sid` ends this session (§2.4). A late
   * notice with `sub` would also end a session that began after the logout.
   */
  private async subjectOf({ clientId, userId, allSessions }: LogoutNotice): Promise<string | undefined> {
    if (!allSessions || (await this.artifacts.hasBrowserSession(clientId, userId))) return undefined;
    return userId;
  }
}

/** The library's message contains the URL, in which a client's owner may have put a secret. */
function failureOf(error: unknown): { reason: string; err?: unknown } {
  if (error instanceof OutboundError) return { reason: error.reason };
  const { response } = error as { response?: unknown };
  if (response instanceof Response) return { reason: `status_${response.status}` };
  return { reason: 'failed', err: error };
}
