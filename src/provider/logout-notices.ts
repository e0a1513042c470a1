import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Lanes, LanesFullError } from '../platform/jobs';
import { Environment } from '../platform/config';
import { Log } from '../platform/logging';
import { Metrics } from '../platform/metrics';
import { OutboundError } from '../platform/outbound';
import { Engine } from './engine/engine';

/** A session that has ended, as the application knows it. */
export interface LogoutNotice {
  readonly clientId: string;
  readonly userId: string;
  readonly sid: string;
}

interface TellableClient {
  backchannelLogout(userId: string, sid: string): Promise<void>;
}

type Outcome = 'told' | 'unasked' | { readonly reason: string; readonly err?: unknown };

/** Fewer than go out at once, so that logins through third parties always find room. */
const BOUNDS = { atOnce: 20, atOnceOfName: 4, mostWaitingOfName: 1_000 };
/** Tries begin no later than this in a stop, or than a quarter of the time for it; each takes five seconds at most. */
const LAST_TRIES_MS = 5_000;

/**
 * Tells applications of logouts (OpenID Connect Back-Channel Logout 1.0), several at a time and few of one application, so
 * that one that hangs delays no other. Whoever was not told, for whatever reason, is tried again: §2.8 answers 400 also
 * where the application failed. In a stop each has one more try, at once.
 */
@Injectable()
export class LogoutNotices {
  /** Between one try and the next. */
  protected readonly pausesMs: readonly number[] = [1_000, 5_000, 30_000];
  private readonly lanes = new Lanes(BOUNDS);
  private lastTriesUntil = Infinity;

  constructor(
    private readonly engine: Engine,
    private readonly metrics: Metrics,
    private readonly log: Log,
    private readonly environment: Environment,
  ) {}

  /** Never fails: whoever could not be told is logged and counted. */
  async tell(notices: readonly LogoutNotice[], stopping: AbortSignal): Promise<void> {
    const lastTriesMs = Math.min(LAST_TRIES_MS, this.environment.shutdownSeconds * 250);
    const limitTries = (): void => {
      this.lastTriesUntil = Math.min(this.lastTriesUntil, performance.now() + lastTriesMs);
    };
    if (stopping.aborted) limitTries();
    stopping.addEventListener('abort', limitTries);
    await Promise.all(notices.map((notice) => this.tellOne(notice, stopping)));
    stopping.removeEventListener('abort', limitTries);
  }

  private async tellOne(notice: LogoutNotice, stopping: AbortSignal): Promise<void> {
    for (const pauseMs of [...this.pausesMs, undefined]) {
      const isLast = pauseMs === undefined || stopping.aborted;
      const outcome = await this.try(notice);
      if (typeof outcome === 'string' || isLast) {
        this.settle(notice, outcome);
        return;
      }
      // A stop ends the pause; that is no failure.
      await setTimeout(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  private settle({ clientId }: LogoutNotice, outcome: Outcome): void {
    if (outcome === 'unasked') return;
    this.metrics.countLogoutNotice(outcome === 'told' ? 'told' : 'failed');
    if (outcome === 'told') return;
    this.log.warn('An application could not be told of a logout', { client_id: clientId, ...outcome });
  }

  private async try(notice: LogoutNotice): Promise<Outcome> {
    try {
      return await this.lanes.run(notice.clientId, () => this.send(notice));
    } catch (error) {
      return failureOf(error);
    }
  }

  private async send({ clientId, userId, sid }: LogoutNotice): Promise<Outcome> {
    if (performance.now() > this.lastTriesUntil) return { reason: 'stopped' };
    const client = await (await this.engine.current()).Client.find(clientId);
    if (!client?.backchannelLogoutUri) return 'unasked';
    await (client as unknown as TellableClient).backchannelLogout(userId, sid);
    return 'told';
  }
}

/** The library's own words repeat the address, in which an owner may have put a secret. */
function failureOf(error: unknown): { reason: string; err?: unknown } {
  if (error instanceof OutboundError) return { reason: error.reason };
  if (error instanceof LanesFullError) return { reason: 'busy' };
  const { response } = error as { response?: unknown };
  if (response instanceof Response) return { reason: `status_${response.status}` };
  return { reason: 'failed', err: error };
}
