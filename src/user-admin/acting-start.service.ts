import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { accessErrors } from '../platform/access';
import { Caller, RequestContext } from '../platform/context';
import { Transactions } from '../platform/database';
import { SettingsReader } from '../platform/settings';
import { ActingSessionsService, actAsEnabled, sessionErrors, SessionWithDbTime, sessionActs } from '../session';
import { AccountEventsService, User, usersErrors, userTarget, userView } from '../users';
import { TargetUsersService } from './target-users.service';

/** Lets an administrator act as another user for a short time. */
@Injectable()
export class ActingStartService {
  constructor(
    private readonly settings: SettingsReader,
    private readonly targets: TargetUsersService,
    private readonly sessions: ActingSessionsService,
    private readonly accountEvents: AccountEventsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /**
   * Opens the session and notifies the user. Throws `act_as_disabled`, `not_found`, `escalation_denied` (also for oneself),
   * `user_disabled`, `session_revoked` or `acting_restricted`.
   */
  async start(caller: Caller, id: string, reason: string, request: RequestContext): Promise<SessionWithDbTime> {
    if (!(await this.settings.get(actAsEnabled))) throw sessionErrors.actAsDisabled();
    return this.transactions.run(async () => {
      const user = await this.targets.lockToBecome(caller, id);
      if (id === caller.userId) throw accessErrors.escalationDenied();
      if (user.status !== 'active') throw usersErrors.userDisabled();
      const session = await this.sessions.open(caller, id, request);
      await this.record(user, session, reason);
      await this.accountEvents.announce({ type: 'acting_started', user: userView(user), actor: caller.username });
      return session;
    });
  }

  private async record(user: User, { id, expiresAt }: SessionWithDbTime, reason: string): Promise<void> {
    await this.audit.record(sessionActs.startActing, {
      target: userTarget(user),
      after: { session_id: id, until: expiresAt.toISOString() },
      reason,
    });
  }
}
