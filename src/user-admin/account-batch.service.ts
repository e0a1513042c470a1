import { Injectable } from '@nestjs/common';
import { accessErrors } from '../platform/access';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { RolesService } from '../rbac';
import { SessionsService } from '../session';
import { AccountChangesService, User, UserRepository, UserStatus } from '../users';
import { PendingCodesService } from '../verification';
import { TargetUsersService } from './target-users.service';

/** Changes many accounts in one transaction, in as many statements as one account needs. */
@Injectable()
export class AccountBatchService {
  constructor(
    private readonly targets: TargetUsersService,
    private readonly users: UserRepository,
    private readonly roles: RolesService,
    private readonly sessions: SessionsService,
    private readonly codes: PendingCodesService,
    private readonly changes: AccountChangesService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Disables or enables the users, all or none, and returns how many had another status. Disabling ends their sessions and
   * codes. Throws `validation_failed` with the unknown ids, `escalation_denied` (also for the caller's own account) or
   * `last_admin`.
   */
  setStatus(caller: Caller, ids: readonly string[], status: UserStatus): Promise<number> {
    return this.transactions.run(async () => {
      const users = await this.targets.lockAllToContain(caller, ids);
      if (users.some(({ id }) => id === caller.userId)) throw accessErrors.escalationDenied();
      const others = users.filter((user) => user.status !== status);
      if (others.length === 0) return 0;
      const after = status === 'disabled' ? await this.disable(others) : await this.write(others, status);
      await this.changes.recordStatus(others, after);
      return after.length;
    });
  }

  private async disable(users: readonly User[]): Promise<User[]> {
    const ids = users.map(({ id }) => id);
    const after = await this.roles.keepAdministrators(() => this.write(users, 'disabled'));
    await this.sessions.revokeAllOf(ids);
    await this.codes.endForAll(ids);
    return after;
  }

  private write(users: readonly User[], status: UserStatus): Promise<User[]> {
    return this.users.setStatus(
      users.map(({ id }) => id),
      status,
    );
  }
}
