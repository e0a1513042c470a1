import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config';
import {
  AttemptResult,
  DeliveryAttemptsService,
  DeliveryKind,
  resultOf,
  SentDelivery,
} from '../../../platform/outbound/deliveries';
import { ConcurrencyLimitError } from '../../../platform/jobs';
import { Log } from '../../../platform/logging';
import { MetricsService } from '../../../platform/metrics';
import { BackchannelLogoutOutboxService, LeasedNotices } from './backchannel-logout-outbox.service';
import { BackchannelLogoutSenderService } from './backchannel-logout-sender.service';
import { LogoutNotice } from '../storage/logout-notice.repository';
import { logoutNotices } from './logout.metrics';

const LOGOUT: DeliveryKind = { name: 'logout', maxRunning: 20 };

/** left: not attempted before the lease or the shutdown ended, a later lease delivers it. */
type Outcome = SentDelivery | 'unwanted' | 'left';

interface Notified {
  readonly isLeft: boolean;
  readonly isAttempted: boolean;
}

const CROWDED: SentDelivery = { isDelivered: null, status: null, answer: null, error: 'busy' };

/** The limit for all applications together. Bounds the memory. */
const MAX_IN_HAND = 10_000;
/** A failure is logged after this attempt, a minute after the first: a restart of an application is no news. */
const DEFERRED_ATTEMPT = 3;
/**
 * During shutdown, attempts start within this time, or within a quarter of the shutdown time. Each takes at most five
 * seconds.
 */
const LAST_TRIES_MS = 5_000;

const DEFERRED = 'Back-channel logout of an application failed, retrying later';
const GIVEN_UP = 'Back-channel logout of an application failed finally';

/**
 * Notifies applications of logouts. Every failure is retried, because §2.8 of Back-Channel Logout 1.0 uses 400 also for
 * failures of the application itself. Notices that cannot be attempted in time stay for a later lease.
 */
@Injectable()
export class BackchannelLogoutService {
  private lastTriesUntil = Infinity;
  private inHand = 0;

  constructor(
    private readonly sender: BackchannelLogoutSenderService,
    private readonly outbox: BackchannelLogoutOutboxService,
    private readonly attempts: DeliveryAttemptsService,
    private readonly metrics: MetricsService,
    private readonly log: Log,
    private readonly environment: Environment,
  ) {}

  /** Whether new notices should stay in the outbox. */
  get isFull(): boolean {
    return this.inHand >= MAX_IN_HAND;
  }

  /**
   * Attempts each notice once. Never fails: a failed notice is attempted again when its row says so. Returns whether all
   * were attempted.
   */
  async notify({ notices, until }: LeasedNotices, stopping: AbortSignal): Promise<boolean> {
    const lastTriesMs = Math.min(LAST_TRIES_MS, this.environment.shutdownSeconds * 250);
    const limitTries = (): void => {
      this.lastTriesUntil = Math.min(this.lastTriesUntil, performance.now() + lastTriesMs);
    };
    if (stopping.aborted) limitTries();
    stopping.addEventListener('abort', limitTries);
    this.inHand += notices.length;
    const notified = await Promise.all(notices.map((notice) => this.notifyOne(notice, until)));
    stopping.removeEventListener('abort', limitTries);
    const left = notices.filter((_, index) => notified[index]?.isLeft);
    if (stopping.aborted && performance.now() < until) await this.outbox.release(left);
    return notified.every(({ isAttempted }) => isAttempted);
  }

  private async notifyOne(notice: LogoutNotice, until: number): Promise<Notified> {
    const outcome = await this.attempt(notice, until);
    this.inHand--;
    if (outcome === 'left') return { isLeft: true, isAttempted: false };
    const sent = outcome === 'unwanted' ? { isDelivered: true, status: null, answer: null, error: null } : outcome;
    const result = resultOf(notice, sent);
    const isAttempted = sent.isDelivered !== null;
    if (outcome !== 'unwanted' && isAttempted) this.report(notice, result);
    await this.outbox.settle(result);
    return { isLeft: false, isAttempted };
  }

  private async attempt(notice: LogoutNotice, until: number): Promise<Outcome> {
    const send = async (): Promise<Outcome> =>
      performance.now() > Math.min(this.lastTriesUntil, until) ? 'left' : this.sender.send(notice);
    return this.attempts.run(LOGOUT, notice.clientId, send).catch((error: unknown) => {
      if (error instanceof ConcurrencyLimitError) return CROWDED;
      throw error;
    });
  }

  private report({ clientId }: LogoutNotice, { state, attempts, error }: AttemptResult): void {
    if (state === 'delivered') this.metrics.count(logoutNotices, { outcome: 'delivered' });
    if (state === 'delivered' || (state === 'pending' && attempts !== DEFERRED_ATTEMPT)) return;
    this.metrics.count(logoutNotices, { outcome: state === 'failed' ? 'failed' : 'deferred' });
    this.log.warn(state === 'failed' ? GIVEN_UP : DEFERRED, { client_id: clientId, reason: error });
  }
}
