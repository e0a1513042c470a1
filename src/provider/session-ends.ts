import { Injectable } from '@nestjs/common';
import type { AdapterPayload } from 'oidc-provider';
import { Transactions } from '../platform/database';
import { inBatches, Jobs } from '../platform/jobs';
import { EndedSessions, SessionEndings } from '../session';
import { LogoutNotice, LogoutNotices } from './logout-notices';
import { ArtifactRepository } from './storage/artifact.repository';

const CLEAN_SECONDS = 600;

/** Ends what applications were given in sessions that end, tells them, and clears away what has run out. */
@Injectable()
export class SessionEnds {
  constructor(
    private readonly artifacts: ArtifactRepository,
    private readonly notices: LogoutNotices,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    endings: SessionEndings,
  ) {
    endings.add((ended) => this.end(ended));
    jobs.every(CLEAN_SECONDS, { name: 'expired OAuth tokens', run: () => this.clean() });
  }

  /** A login state goes with its session, not before: it knows which applications are to be told. */
  async clean(): Promise<void> {
    await inBatches((limit) => this.artifacts.followSessions(limit));
    await inBatches((limit) => this.artifacts.deleteExpired(limit));
  }

  private async end({ userId, ids, keep }: EndedSessions): Promise<void> {
    const states =
      keep === undefined
        ? await this.artifacts.deleteOfSessions(userId, ids)
        : await this.artifacts.deleteOfUser(userId, keep);
    const notices = states.flatMap(noticesOf);
    if (notices.length === 0) return;
    await this.transactions.afterCommit(() => {
      // Applications that are slow to answer hold no logout up.
      this.jobs.soon({ name: 'logouts told to applications', run: (stopping) => this.notices.tell(notices, stopping) });
    });
  }
}

const noticesOf = ({ accountId: userId, authorizations = {} }: AdapterPayload): LogoutNotice[] =>
  Object.entries(authorizations).flatMap(([clientId, { sid }]) =>
    userId === undefined || sid === undefined ? [] : [{ clientId, userId, sid }],
  );
