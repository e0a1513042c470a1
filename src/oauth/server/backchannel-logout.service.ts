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

interface TellableClient {
  backchannelLogout(userId: string | undefined, sid: string): Promise<void>;
}

/** left: not tried, another instance will take it up. */
type Outcome = 'told' | 'unasked' | 'left' | { readonly reason: string; readonly err?: unknown };

/** Fewer than go out at once, so that logins through third parties always find room. */
const BOUNDS = { atOnce: 20, atOnceOfName: 4, mostWaitingOfName: 1_000 };
/** Of all applications together, those in a pause too: memory stays bounded. */
const MAX_IN_HAND = 10_000;
/** Tries begin no later than this in a stop, or than a quarter of the time for it; each takes five seconds at most. */
const LAST_TRIES_MS = 5_000;

const DEFERRED = 'An application could not be told of a logout yet';
const GIVEN_UP = 'An application could not be told of a logout';

/**
 * Notifies applications of logouts (OpenID Connect Back-Channel Logout 1.0), several at a time and few per application,
 * so
 * that a hanging application delays no other. Every failure is retried, as §2.8 answers 400 also where the application
 * itself failed: a few times in a row (once more, immediately, during shutdown), then once per lease. Notices that
 * cannot
 * be tried in time, because of load or shutdown, stay for a later lease.
 */
@Injectable()
export class BackchannelLogoutService {
  /** Between one of the first tries and the next. */
  protected readonly pausesMs: readonly number[] = [1_000, 5_000, 30_000];
  private readonly lanes = new KeyedConcurrencyLimiter(BOUNDS);
  /** Notices that were reported here as postponed. */
  private readonly deferred = new LRUCache<string, true>({ max: MAX_IN_HAND });
  private lastTriesUntil = Infinity;
  private inHand = 0;

  constructor(
    private readonly engine: OidcEngineService,
    private readonly outbox: BackchannelLogoutOutboxService,
    private readonly metrics: MetricsService,
    private readonly log: Log,
    private readonly environment: Environment,
  ) {}

  /** What comes now is better left in the outbox. */
  get isFull(): boolean {
    return this.inHand >= MAX_IN_HAND;
  }

  /** Never fails: a failed notice is logged and counted. */
  async tell({ notices, until }: LeasedNotices, stopping: AbortSignal): Promise<void> {
    const lastTriesMs = Math.min(LAST_TRIES_MS, this.environment.shutdownSeconds * 250);
    const limitTries = (): void => {
      this.lastTriesUntil = Math.min(this.lastTriesUntil, performance.now() + lastTriesMs);
    };
    if (stopping.aborted) limitTries();
    stopping.addEventListener('abort', limitTries);
    this.inHand += notices.length;
    const areLeft = await Promise.all(notices.map((notice) => this.tellOne(notice, until, stopping)));
    stopping.removeEventListener('abort', limitTries);
    await this.outbox.giveBack(notices.filter(({ attempts }, index) => areLeft[index] && attempts > 0));
  }

  /** Answers whether the notice is left as it was. */
  private async tellOne(notice: LogoutNotice, until: number, stopping: AbortSignal): Promise<boolean> {
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
      // A stop ends the pause; that is no failure.
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
   * Returns whether it is final: after the last attempt. Notices that are retried for hours are reported once before
   * that.
   */
  private giveUp(notice: LogoutNotice, failure: object): boolean {
    const isGivenUp = this.outbox.isLastTry(notice);
    if (!isGivenUp && !this.isNewlyDeferred(notice)) return false;
    this.metrics.countLogoutNotice(isGivenUp ? 'failed' : 'deferred');
    this.log.warn(isGivenUp ? GIVEN_UP : DEFERRED, { client_id: notice.clientId, ...failure });
    return isGivenUp;
  }

  /** After the first attempts; another instance that takes it up cannot know whether those finished. */
  private isNewlyDeferred({ id, attempts }: LogoutNotice): boolean {
    if (attempts > 1 || this.deferred.has(id)) return false;
    this.deferred.set(id, true);
    return true;
  }

  private async try(notice: LogoutNotice, until: number): Promise<Outcome> {
    try {
      return await this.lanes.run(notice.clientId, () => this.send(notice, until));
    } catch (error) {
      return error instanceof ConcurrencyLimitError ? 'left' : failureOf(error);
    }
  }

  private async send({ clientId, userId, sid, allSessions }: LogoutNotice, until: number): Promise<Outcome> {
    if (performance.now() > Math.min(this.lastTriesUntil, until)) return 'left';
    const client = await (await this.engine.current()).Client.find(clientId);
    if (!client?.backchannelLogoutUri) return 'unasked';
    // A library that matches `sub` ends every session of the user, one that matches `sid` this one (§2.4).
    await (client as unknown as TellableClient).backchannelLogout(allSessions ? userId : undefined, sid);
    return 'told';
  }
}

/** The library's own words repeat the address, in which an owner may have put a secret. */
function failureOf(error: unknown): { reason: string; err?: unknown } {
  if (error instanceof OutboundError) return { reason: error.reason };
  const { response } = error as { response?: unknown };
  if (response instanceof Response) return { reason: `status_${response.status}` };
  return { reason: 'failed', err: error };
}
