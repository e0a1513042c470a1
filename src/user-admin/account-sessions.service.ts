import { Injectable } from '@nestjs/common';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { SessionsService, SessionWithDbTime } from '../session';
import { UserCache } from '../users';
import { TargetUsersService } from './target-users.service';

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

  /** Throws `not_found` or `escalation_denied`. */
  async revokeAll(caller: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.targets.lockToContain(caller, id);
      await this.sessions.revokeAll(id);
    });
  }
}
