import { Injectable, OnModuleInit } from '@nestjs/common';
import type { AdapterPayload } from 'oidc-provider';
import { Transactions } from '../../platform/database';
import { DomainEvents } from '../../platform/events';
import { inBatches, Scheduler } from '../../platform/jobs';
import { EndedSessions, sessionsEnded } from '../../session';
import { BackchannelLogoutService } from './backchannel-logout.service';
import { LeasedNotices, BackchannelLogoutOutboxService } from './backchannel-logout-outbox.service';
import { OidcModelRepository } from './storage/oidc-model.repository';
import { LogoutNotice, LogoutTarget } from './storage/logout-notice.repository';

const CLEAN_SECONDS = 600;
const TAKE_UP_SECONDS = 10;

/** Ends the tokens of ended sessions, notifies applications, and deletes expired records. */
@Injectable()
export class SessionsEndedListener implements OnModuleInit {
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
   * Delivers notices that a crashed or overloaded instance has left. A hanging application delays only its own notices.
   */
  async takeUp(stopping: AbortSignal): Promise<void> {
    const deliveries = new Map<string, Promise<void>>();
    for (;;) {
      for (const [clientId, held] of await this.claim([...deliveries.keys()], stopping)) {
        const delivery = this.notices.notify(held, stopping).finally(() => deliveries.delete(clientId));
        deliveries.set(clientId, delivery);
      }
      if (deliveries.size === 0) return;
      await Promise.race(deliveries.values());
    }
  }

  private async claim(except: readonly string[], stopping: AbortSignal): Promise<Map<string, LeasedNotices>> {
    if (stopping.aborted) return new Map();
    const { notices, until } = await this.outbox.claim(except);
    const ofClient = (clientId: string): LogoutNotice[] => notices.filter((notice) => notice.clientId === clientId);
    return new Map(notices.map(({ clientId }) => [clientId, { notices: ofClient(clientId), until }]));
  }

  private async end({ userId, ids, keep }: EndedSessions): Promise<void> {
    const states =
      keep === undefined
        ? await this.artifacts.deleteOfSessions(userId, ids)
        : await this.artifacts.deleteOfUser(userId, keep);
    const logouts = states.flatMap((state) => logoutsOf(state, keep === null));
    if (logouts.length === 0) return;
    const held = await this.outbox.add(logouts);
    if (held.notices.length === 0 || this.notices.isFull) return;
    await this.transactions.afterCommit(() => {
      // In the background, so that slow applications do not delay the logout.
      this.jobs.runInBackground({
        name: 'logout notices to applications',
        run: (stopping) => this.notices.notify(held, stopping),
      });
    });
  }
}

const logoutsOf = ({ accountId: userId, authorizations = {} }: AdapterPayload, allSessions: boolean): LogoutTarget[] =>
  Object.entries(authorizations).flatMap(([clientId, { sid }]) =>
    userId === undefined || sid === undefined ? [] : [{ clientId, userId, sid, allSessions }],
  );
