import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { SettingsReader } from '../../platform/settings';
import { RolesService } from '../../rbac';
import { sessionErrors, SessionsService } from '../../session';
import { AccountDeletionService, DeletionRequestsService, UserRepository, userTarget } from '../../users';
import { deletionGraceDays } from './auth.settings';

/** Deletes accounts at the request of their owners, except that of the last administrator. */
@Injectable()
export class OwnAccountDeletionService {
  constructor(
    private readonly users: UserRepository,
    private readonly roles: RolesService,
    private readonly sessions: SessionsService,
    private readonly deletion: AccountDeletionService,
    private readonly requests: DeletionRequestsService,
    private readonly settings: SettingsReader,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Ends the sessions and deletes the account with everything that belongs to it, in one transaction. With days of
   * grace, the account stays until then, and the time of its deletion is returned. Throws `last_admin`, or
   * `session_revoked` for a deleted user.
   */
  async request({ userId }: Caller): Promise<Date | undefined> {
    const graceDays = await this.settings.get(deletionGraceDays);
    return this.transactions.run(async () => {
      await this.roles.assertNotLastAdmin(userId);
      // Locks the user before the sessions, in the same order as a login. After a parallel deletion of the account it
      // throws.
      const user = await this.users.lock(userId);
      if (!user) throw sessionErrors.sessionRevoked();
      await this.sessions.revokeAll(userId);
      if (graceDays > 0) return this.requests.open(user, graceDays);
      await this.deletion.delete(userId, { target: userTarget(user) });
      return undefined;
    });
  }

  /** Keeps the account of the caller, whose deletion may have been requested. Throws `session_revoked`. */
  async cancel({ userId }: Caller): Promise<void> {
    await this.transactions.run(async () => {
      const user = await this.users.lock(userId);
      if (!user) throw sessionErrors.sessionRevoked();
      await this.requests.cancel(user);
    });
  }
}
