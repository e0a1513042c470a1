import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { accessErrors } from '../platform/access';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { Factor, FactorsService } from '../mfa';
import { RolesService } from '../rbac';
import { LockoutService } from '../auth/login';
import { SessionsService } from '../session';
import { UserCache, userTarget } from '../users';
import { TargetUsersService } from './target-users.service';
import { userAdminActs } from './user-admin.acts';

/** Lists and removes the second factors of another user, and ends a lockout. */
@Injectable()
export class AccountAccessService {
  constructor(
    private readonly targets: TargetUsersService,
    private readonly roles: RolesService,
    private readonly sessions: SessionsService,
    private readonly lockout: LockoutService,
    private readonly factors: FactorsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly userCache: UserCache,
  ) {}

  /** Apps, passkeys by age, then recovery codes, and whether the user must have a factor. Throws `not_found`. */
  async listFactors(id: string): Promise<{ items: Factor[]; required: boolean }> {
    if (!(await this.userCache.get(id))) throw platformErrors.notFound();
    return this.factors.list({ userId: id });
  }

  /**
   * Removes all second factors and ends the user's sessions. A user who must have a factor sets it up at the next
   * login. Throws `not_found`, `escalation_denied` (also for the caller's own account, where factors are removed one by
   * one) or `last_admin` (passkeys may be the only way to log in).
   */
  async resetFactors(caller: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      const user = await this.targets.lockToBecome(caller, id);
      if (id === caller.userId) throw accessErrors.escalationDenied();
      await this.roles.keepAdministrators(() => this.factors.reset(user));
      await this.sessions.revokeAll(id);
    });
  }

  /** Ends every lock after failed logins and clears the failures. Throws `not_found` or `escalation_denied`. */
  async unlock(caller: Caller, id: string): Promise<void> {
    const lockedSeconds = await this.lockout.lockedFor(id);
    await this.transactions.run(async () => {
      await this.audit.record(userAdminActs.unlock, {
        target: userTarget(await this.targets.lockToContain(caller, id)),
        before: { locked_seconds: lockedSeconds },
        after: { locked_seconds: 0 },
      });
    });
    await this.lockout.unlock(id);
  }
}
