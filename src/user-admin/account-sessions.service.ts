import { Injectable } from '@nestjs/common';
import { Caller } from '../platform/context';
import { FIRST_ID } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { platformErrors, ProblemError } from '../platform/errors';
import { SessionsService, SessionWithDbTime } from '../session';
import { UserCache } from '../users';
import { TargetUsersService } from './target-users.service';

/** Users whose sessions one query finds. Each user's sessions end in a separate transaction. */
const BATCH = 500;

/** Lists and revokes the sessions of other users. */
@Injectable()
export class AccountSessionsService {
  constructor(
    private readonly userCache: UserCache,
    private readonly targets: TargetUsersService,
    private readonly sessions: SessionsService,
    private readonly transactions: Transactions,
  ) {}

  /** Newest activity first. Throws `not_found`. */
  async list(id: string): Promise<SessionWithDbTime[]> {
    if (!(await this.userCache.get(id))) throw platformErrors.notFound();
    return this.sessions.list(id);
  }

  /** Throws `not_found` or `escalation_denied`. */
  async revoke(caller: Caller, id: string, sessionId: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.targets.lock(id);
      const live = await this.sessions.list(id);
      if (!live.some((session) => session.id === sessionId)) throw platformErrors.notFound();
      await this.targets.requireEqual(caller, id);
      await this.sessions.revoke(sessionId, id);
    });
  }

  /**
   * Ends all sessions of the user, or those that began at or after the time. Returns how many. Throws `not_found` or
   * `escalation_denied`.
   */
  revokeAll(caller: Caller, id: string, since: Date | null = null): Promise<number> {
    return this.transactions.run(async () => {
      await this.targets.lockToContain(caller, id);
      return since ? this.sessions.revokeSince(id, since) : this.sessions.revokeAll(id);
    });
  }

  /** Same as `revokeAll`, for every user. Users who are deleted meanwhile are skipped. */
  async revokeAllOfAll(
    caller: Caller,
    since: Date | null,
  ): Promise<{ readonly users: number; readonly revoked: number }> {
    const total = { users: 0, revoked: 0 };
    for (let after = FIRST_ID; ;) {
      const ids = await this.sessions.usersWithLive(since, after, BATCH);
      for (const id of ids) {
        const revoked = await this.revokeAll(caller, id, since).catch(skipMissing);
        total.users += Number(revoked > 0);
        total.revoked += revoked;
      }
      const last = ids.at(-1);
      if (last === undefined || ids.length < BATCH) return total;
      after = last;
    }
  }
}

function skipMissing(error: unknown): number {
  if (error instanceof ProblemError && error.code === 'not_found') return 0;
  throw error;
}
