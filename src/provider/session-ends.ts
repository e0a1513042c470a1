import { Injectable } from '@nestjs/common';
import type { AdapterPayload } from 'oidc-provider';
import { Transactions } from '../platform/database';
import { inBatches, Jobs } from '../platform/jobs';
import { EndedSessions, SessionEndings } from '../session';
import { LogoutNotices } from './logout-notices';
import { HeldNotices, LogoutOutbox } from './logout-outbox';
import { ArtifactRepository } from './storage/artifact.repository';
import { LogoutNotice, LogoutToTell } from './storage/logout-notice.repository';

const CLEAN_SECONDS = 600;
const TAKE_UP_SECONDS = 10;

/** Ends what applications were given in sessions that end, tells them, and clears away what has run out. */
@Injectable()
export class SessionEnds {
  constructor(
    private readonly artifacts: ArtifactRepository,
    private readonly outbox: LogoutOutbox,
    private readonly notices: LogoutNotices,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    endings: SessionEndings,
  ) {
    endings.add((ended) => this.end(ended));
    jobs.every(CLEAN_SECONDS, { name: 'expired OAuth tokens', run: () => this.clean() });
    // Apart from the rest, which may fail: once a session is forgotten, nothing tells any more that it ended.
    jobs.every(CLEAN_SECONDS, { name: 'tokens of ended sessions', run: () => this.endLate() });
    jobs.every(TAKE_UP_SECONDS, { name: 'logouts left untold', run: (stopping) => this.takeUp(stopping) });
  }

  /** A login state goes with its session, not before: it knows which applications are to be told. */
  async clean(): Promise<void> {
    await inBatches((limit) => this.artifacts.followSessions(limit));
    await inBatches((limit) => this.artifacts.deleteExpired(limit));
  }

  /** What was written just as its session ended would stand again, once nobody remembers that the session did. */
  async endLate(): Promise<void> {
    await inBatches(async (limit) => {
      const late = await this.artifacts.findOfEnded(limit);
      for (const { userId, sessionId } of late) {
        await this.transactions.run(() => this.end({ userId, ids: [sessionId] }));
      }
      return late.length;
    });
  }

  /** Tells what an instance that died, or had too much to tell, has left; who hangs holds up what is their own alone. */
  async takeUp(stopping: AbortSignal): Promise<void> {
    const telling = new Map<string, Promise<void>>();
    for (;;) {
      for (const [clientId, held] of await this.claim([...telling.keys()], stopping)) {
        const told = this.notices.tell(held, stopping).finally(() => telling.delete(clientId));
        telling.set(clientId, told);
      }
      if (telling.size === 0) return;
      await Promise.race(telling.values());
    }
  }

  private async claim(except: readonly string[], stopping: AbortSignal): Promise<Map<string, HeldNotices>> {
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
    const logouts = states.flatMap(logoutsOf);
    if (logouts.length === 0) return;
    const held = await this.outbox.add(logouts);
    if (held.notices.length === 0 || this.notices.isFull) return;
    await this.transactions.afterCommit(() => {
      // Applications that are slow to answer hold no logout up.
      this.jobs.soon({ name: 'logouts told to applications', run: (stopping) => this.notices.tell(held, stopping) });
    });
  }
}

const logoutsOf = ({ accountId: userId, authorizations = {} }: AdapterPayload): LogoutToTell[] =>
  Object.entries(authorizations).flatMap(([clientId, { sid }]) =>
    userId === undefined || sid === undefined ? [] : [{ clientId, userId, sid }],
  );
