import { Injectable } from '@nestjs/common';
import type { AdapterPayload } from 'oidc-provider';
import { Transactions } from '../platform/database';
import { inBatches, Jobs } from '../platform/jobs';
import { Log } from '../platform/logging';
import { EndedSessions, SessionEndings } from '../session';
import { Engine } from './engine/engine';
import { ArtifactRepository } from './storage/artifact.repository';

const CLEAN_SECONDS = 600;

interface TellableClient {
  backchannelLogout(userId: string, sid: string): Promise<void>;
}

/** Ends what applications were given in sessions that end, tells them, and clears away what has run out. */
@Injectable()
export class SessionEnds {
  constructor(
    private readonly artifacts: ArtifactRepository,
    private readonly engine: Engine,
    private readonly transactions: Transactions,
    private readonly log: Log,
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
    if (states.length === 0) return;
    await this.transactions.afterCommit(() => {
      // Applications that are slow to answer hold no logout up.
      this.jobs.soon({ name: 'logouts told to applications', run: () => this.tell(states) });
    });
  }

  /** OpenID Connect Back-Channel Logout 1.0. */
  private async tell(states: readonly AdapterPayload[]): Promise<void> {
    for (const { accountId, authorizations = {} } of states) {
      for (const [clientId, { sid }] of Object.entries(authorizations)) {
        if (accountId !== undefined && sid !== undefined) await this.tellClient(clientId, accountId, sid);
      }
    }
  }

  private async tellClient(clientId: string, accountId: string, sid: string): Promise<void> {
    try {
      const client = await (await this.engine.current()).Client.find(clientId);
      const { backchannelLogoutUri } = client ?? {};
      if (client && backchannelLogoutUri) await (client as unknown as TellableClient).backchannelLogout(accountId, sid);
    } catch (error) {
      this.log.warn('An application could not be told of a logout', { client_id: clientId, err: error });
    }
  }
}
