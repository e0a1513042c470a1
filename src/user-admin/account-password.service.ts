import { Injectable } from '@nestjs/common';
import { accessErrors } from '../platform/access';
import { Caller } from '../platform/context';
import { PasswordHasher } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { SessionsService } from '../session';
import { AccountChangesService, PasswordPolicyService, UserRepository, userTarget } from '../users';
import { SetPasswordDto } from './dto/user-input.dto';
import { TargetUsersService } from './target-users.service';
import { userAdminActs } from './user-admin.acts';

/** Sets the passwords of other users. */
@Injectable()
export class AccountPasswordService {
  constructor(
    private readonly policy: PasswordPolicyService,
    private readonly hasher: PasswordHasher,
    private readonly users: UserRepository,
    private readonly targets: TargetUsersService,
    private readonly sessions: SessionsService,
    private readonly transactions: Transactions,
    private readonly changes: AccountChangesService,
  ) {}

  /**
   * Sets the password and ends the user's sessions. Throws `validation_failed`, `password_too_common`, `not_found` or
   * `escalation_denied` (also for the caller's own password, whose change needs the current one).
   */
  async set(caller: Caller, id: string, body: SetPasswordDto): Promise<void> {
    const { new_password: password, must_change_password: mustChangePassword = true } = body;
    const user = await this.users.findById(id);
    await this.policy.check(password, user?.username ?? '', 'new_password');
    if (!user) throw platformErrors.notFound();
    if (id === caller.userId) throw accessErrors.escalationDenied();
    const passwordHash = await this.hasher.hash(password);
    await this.transactions.run(async () => {
      const before = await this.targets.lockToBecome(caller, id);
      const after = await this.users.update(id, { passwordHash, mustChangePassword });
      if (!after) throw platformErrors.notFound();
      await this.sessions.revokeAll(id);
      await this.changes.record(
        before,
        after,
        userAdminActs.setPassword({
          target: userTarget(before),
          before: { has_password: before.passwordHash !== null, must_change_password: before.mustChangePassword },
          after: { has_password: true, must_change_password: mustChangePassword },
        }),
      );
    });
  }
}
