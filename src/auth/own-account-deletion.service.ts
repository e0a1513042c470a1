import { Injectable } from '@nestjs/common';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { RolesService } from '../rbac';
import { sessionErrors, SessionsService } from '../session';
import { AccountDeletionService, UserRepository } from '../users';

/** Deletes the caller's own account, except that of the last administrator. */
@Injectable()
export class OwnAccountDeletionService {
  constructor(
    private readonly users: UserRepository,
    private readonly roles: RolesService,
    private readonly sessions: SessionsService,
    private readonly deletion: AccountDeletionService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Deletes the account and everything that belongs to it in one transaction. The audit log keeps its id. Throws
   * `last_admin`, or `session_revoked` for a deleted user.
   */
  async delete({ userId, username }: Caller): Promise<void> {
    await this.transactions.run(async () => {
      await this.roles.assertNotLastAdmin(userId);
      // Locks the user before the sessions, in the same order as a login. After a parallel deletion of the account it
      // throws.
      if (!(await this.users.lock(userId))) throw sessionErrors.sessionRevoked();
      await this.sessions.revokeAll(userId);
      await this.deletion.delete(userId, { target: { type: 'user', id: userId, label: username } });
    });
  }
}
