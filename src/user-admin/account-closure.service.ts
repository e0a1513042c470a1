import { Injectable } from '@nestjs/common';
import { accessErrors } from '../platform/access';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { RolesService } from '../rbac';
import { SessionsService } from '../session';
import { AccountDeletionService, userTarget } from '../users';
import { PendingCodesService } from '../verification';
import { TargetUsersService } from './target-users.service';

/** Closes accounts of others: disables or deletes them, but never the last administrator's. */
@Injectable()
export class AccountClosureService {
  constructor(
    private readonly targets: TargetUsersService,
    private readonly roles: RolesService,
    private readonly sessions: SessionsService,
    private readonly codes: PendingCodesService,
    private readonly deletion: AccountDeletionService,
    private readonly transactions: Transactions,
  ) {}

  /** Ends sessions and codes; call in the transaction that disables the user. Errors: `last_admin`. */
  async endAccess(id: string): Promise<void> {
    await this.roles.refuseIfLastAdmin(id);
    await this.sessions.revokeAll(id);
    await this.codes.endFor(id);
  }

  /** Deletes the account with all its data. Errors: `not_found`, `escalation_denied` (also for oneself), `last_admin`. */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      const user = await this.targets.lock(id);
      if (id === caller.userId) throw accessErrors.escalationDenied();
      await this.targets.requireCover(caller, id);
      await this.roles.refuseIfLastAdmin(id);
      await this.sessions.revokeAll(id);
      await this.deletion.delete(id, { target: userTarget(user), before: { status: user.status } });
    });
  }
}
