import { Injectable } from '@nestjs/common';
import { accessErrors } from '../platform/access';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { RolesService } from '../rbac';
import { SessionsService } from '../session';
import { AccountDeletionService, DeletionRequestsService, userTarget } from '../users';
import { PendingCodesService } from '../verification';
import { TargetUsersService } from './target-users.service';

/** Disables or deletes accounts of other users, except the last administrator. */
@Injectable()
export class AccountClosureService {
  constructor(
    private readonly targets: TargetUsersService,
    private readonly roles: RolesService,
    private readonly sessions: SessionsService,
    private readonly codes: PendingCodesService,
    private readonly deletion: AccountDeletionService,
    private readonly requests: DeletionRequestsService,
    private readonly transactions: Transactions,
  ) {}

  /** Ends sessions and codes. Call in the transaction that disables the user. Throws `last_admin`. */
  async endAccess(id: string): Promise<void> {
    await this.roles.assertNotLastAdmin(id);
    await this.sessions.revokeAll(id);
    await this.codes.endFor(id);
  }

  /**
   * Deletes the account with all its data. Throws `not_found`, `escalation_denied` (also for the caller's own account)
   * or `last_admin`.
   */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      const user = await this.targets.lock(id);
      if (id === caller.userId) throw accessErrors.escalationDenied();
      await this.targets.requireCover(caller, id);
      await this.roles.assertNotLastAdmin(id);
      await this.sessions.revokeAll(id);
      await this.deletion.delete(id, { target: userTarget(user), before: { status: user.status } });
    });
  }

  /** Keeps an account whose owner asked for its deletion. Throws `not_found` or `escalation_denied`. */
  async cancelRequest(caller: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.requests.cancel(await this.targets.lockToContain(caller, id));
    });
  }
}
