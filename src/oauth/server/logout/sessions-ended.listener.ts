import { Injectable, OnModuleInit } from '@nestjs/common';
import type { AdapterPayload } from 'oidc-provider';
import { Transactions } from '../../../platform/database';
import { DomainEvents } from '../../../platform/jobs/events';
import { inBatches, Scheduler } from '../../../platform/jobs';
import { allSessionsEnded, EndedSessions, sessionsEnded } from '../../../session';
import { BackchannelLogoutService } from './backchannel-logout.service';
import { LeasedNotices, BackchannelLogoutOutboxService } from './backchannel-logout-outbox.service';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { LogoutTarget } from '../storage/logout-notice.repository';

const CLEAN_SECONDS = 600;
const TAKE_UP_SECONDS = 1;
/** Due notices in hand above which none are claimed: about as many as can be attempted within their lease. */
const MAX_TAKEN_UP = 400;

/** Ends the tokens of ended sessions, notifies applications, and deletes expired records. */
@Injectable()
export class SessionsEndedListener implements OnModuleInit {
  /** Clients whose due notices this instance delivers. */
  private readonly busy = new Set<string>();
  /** Clients for which too much is waiting: their due notices wait for the next round. */
  private readonly crowded = new Set<string>();
  /** Due notices that this instance delivers. */
  private takenUp = 0;
  /** While one claims, another would lease notices of the same clients. */
  private isClaiming = false;
  private isClaimWanted = false;

  constructor(
    private readonly artifacts: OidcModelRepository,
    private readonly outbox: BackchannelLogoutOutboxService,
    private readonly notices: BackchannelLogoutService,
    private readonly transactions: Transactions,
    private readonly jobs: Scheduler,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on(sessionsEnded, (ended) => this.end(ended));
    this.events.on(allSessionsEnded, async ({ userIds }) => {
      await this.logOut(await this.artifacts.deleteOfUsers(userIds), true);
    });
    this.jobs.every(CLEAN_SECONDS, { name: 'expired OAuth tokens', run: () => this.clean() });
    // A separate job, because the other may fail: once the session row is deleted, nothing records that the session
    // ended.
    this.jobs.every(CLEAN_SECONDS, { name: 'tokens of ended sessions', run: () => this.endLate() });
    this.jobs.every(TAKE_UP_SECONDS, { name: 'pending logout notices', run: (stopping) => this.takeUp(stopping) });
  }

  /** A library session is deleted together with its session, because it lists the applications to notify. */
  async clean(): Promise<void> {
    await inBatches((limit) => this.artifacts.followSessions(limit));
    await inBatches((limit) => this.artifacts.deleteExpired(limit));
  }

  /** A row written while its session ended would become valid again once the ended session is deleted. */
  async endLate(): Promise<void> {
    await inBatches(async (limit) => {
      const late = await this.artifacts.findOfEnded(limit);
      for (const { userId, sessionId } of late) {
        await this.transactions.run(() => this.end({ userId, ids: [sessionId] }));
      }
      return late.length;
    });
  }

  /**
   * Starts to deliver notices that are due: after a failure, or because an instance has left them. An application with
   * many notices gets some after the others, so that one that hangs delays only its notices.
   */
  async takeUp(stopping: AbortSignal): Promise<void> {
    this.crowded.clear();
    await this.claimAll(stopping);
  }

  private async claimAll(stopping: AbortSignal): Promise<void> {
    this.isClaimWanted = true;
    if (this.isClaiming) return;
    this.isClaiming = true;
    try {
      while (this.isClaimWanted && this.mayClaim(stopping)) {
        this.isClaimWanted = false;
        await this.claim();
      }
    } finally {
      this.isClaiming = false;
    }
  }

  private mayClaim(stopping: AbortSignal): boolean {
    return !stopping.aborted && this.takenUp < MAX_TAKEN_UP && !this.notices.isFull;
  }

  private async claim(): Promise<void> {
    const { notices, until } = await this.outbox.claim([...this.busy, ...this.crowded]);
    for (const clientId of new Set(notices.map((notice) => notice.clientId))) {
      this.busy.add(clientId);
      const held = { notices: notices.filter((notice) => notice.clientId === clientId), until };
      this.takenUp += held.notices.length;
      this.jobs.runInBackground({ name: 'due logout notices', run: (signal) => this.deliver(clientId, held, signal) });
    }
  }

  private async deliver(clientId: string, held: LeasedNotices, stopping: AbortSignal): Promise<void> {
    try {
      if (!(await this.notices.notify(held, stopping))) this.crowded.add(clientId);
    } finally {
      this.takenUp -= held.notices.length;
      this.busy.delete(clientId);
    }
    await this.claimAll(stopping);
  }

  private async end({ userId, ids, keep }: EndedSessions): Promise<void> {
    const states =
      keep === undefined
        ? await this.artifacts.deleteOfSessions(userId, ids)
        : await this.artifacts.deleteOfUser(userId, keep);
    await this.logOut(states, keep === null);
  }

  private async logOut(states: readonly AdapterPayload[], allSessions: boolean): Promise<void> {
    const logouts = states.flatMap((state) => logoutsOf(state, allSessions));
    if (logouts.length === 0) return;
    const held = await this.outbox.add(logouts);
    if (held.notices.length === 0) return;
    await this.transactions.afterCommit(() => {
      // In the background, so that slow applications do not delay the logout.
      this.jobs.runInBackground({
        name: 'logout notices to applications',
        run: (stopping) => this.notifyOrRelease(held, stopping),
      });
    });
  }

  /** Above the limit of this instance, another one may deliver the notices at once. */
  private async notifyOrRelease(held: LeasedNotices, stopping: AbortSignal): Promise<void> {
    if (this.notices.isFull) await this.outbox.release(held.notices);
    else await this.notices.notify(held, stopping);
  }
}

const logoutsOf = ({ accountId: userId, authorizations = {} }: AdapterPayload, allSessions: boolean): LogoutTarget[] =>
  Object.entries(authorizations).flatMap(([clientId, { sid }]) =>
    userId === undefined || sid === undefined ? [] : [{ clientId, userId, sid, allSessions }],
  );
