import { Injectable } from '@nestjs/common';
import { RecentLoginService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { PasswordHasher } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { ErrorFactory, platformErrors } from '../../platform/errors';
import { AttemptOrigin, BruteForceGuardService, DeviceOwner } from '../login';
import { sessionErrors, SessionsService } from '../../session';
import {
  AccountChangesService,
  UserView,
  userView,
  PasswordPolicyService,
  User,
  UserRepository,
  userTarget,
} from '../../users';
import { authErrors } from '../account/auth.errors';
import { ChangePasswordDto } from '../account/dto/account.dto';
import { passwordActs } from '../account/auth.acts';

/** The user with the password version before and after the change. */
export interface PasswordChanged {
  readonly before: DeviceOwner;
  readonly after: DeviceOwner;
}

/** Changes and verifies the caller's own password. */
@Injectable()
export class PasswordService {
  constructor(
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly policy: PasswordPolicyService,
    private readonly guard: BruteForceGuardService,
    private readonly sessions: SessionsService,
    private readonly transactions: Transactions,
    private readonly changes: AccountChangesService,
    private readonly recentLogins: RecentLoginService,
  ) {}

  /**
   * Changes the password and ends the user's other sessions. Throws `password_incorrect` (counted by the lockout),
   * `password_too_common`, `validation_failed` (also for the current password), `reauthentication_required` (no
   * password yet and no recent login) or `account_locked`.
   */
  async change(caller: Caller, body: ChangePasswordDto, origin: AttemptOrigin): Promise<PasswordChanged> {
    const user = await this.users.findById(caller.userId);
    if (!user) throw sessionErrors.sessionRevoked();
    if (user.passwordHash !== null) await this.proveCurrent(user, body, origin);
    else await this.recentLogins.require(caller);
    await this.policy.check(body.new_password, caller.username, 'new_password');
    const passwordHash = await this.hasher.hash(body.new_password);
    return this.store(caller, user.passwordVersion, passwordHash);
  }

  /**
   * Verifies the password of a logged-in user. Throws the given error (counted by the lockout), `account_locked` or
   * `rate_limited`.
   */
  async prove(user: UserView, password: string, origin: AttemptOrigin, createError: ErrorFactory): Promise<void> {
    const secret = { user, key: user.id, createError, act: passwordActs.prove };
    await this.guard.protect(secret, origin, async () => {
      const stored = await this.users.findPassword(user.id);
      if (!stored || !(await this.hasher.verify(password, stored.hash))) throw createError();
    });
  }

  private store(caller: Caller, version: number, passwordHash: string): Promise<PasswordChanged> {
    return this.transactions.run(async () => {
      const user = await this.users.lock(caller.userId);
      if (!user) throw sessionErrors.sessionRevoked();
      // The password was changed in the meantime, so the verification of the old one no longer holds.
      if (user.passwordVersion !== version) throw authErrors.passwordIncorrect();
      const after = await this.users.update(user.id, { passwordHash, mustChangePassword: false });
      if (!after) throw sessionErrors.sessionRevoked();
      await this.sessions.revokeAll(user.id, { keep: caller.sessionId });
      await this.changes.record(user, after, passwordActs.change({ target: userTarget(user) }));
      return { before: user, after };
    });
  }

  private async proveCurrent(user: User, body: ChangePasswordDto, origin: AttemptOrigin): Promise<void> {
    const { current_password: password, new_password: wanted } = body;
    if (password === undefined) {
      throw platformErrors.validationFailed({ fields: [{ field: 'current_password', code: 'required' }] });
    }
    // Compares the two passwords of the request, so the result does not reveal whether the current one is correct.
    this.policy.requireOther(wanted, password, 'new_password');
    await this.prove(userView(user), password, origin, authErrors.passwordIncorrect);
  }
}
