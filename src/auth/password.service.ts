import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { RecentLoginService } from '../platform/access';
import { Caller } from '../platform/context';
import { PasswordHasher } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { ErrorFactory, platformErrors } from '../platform/errors';
import { AttemptOrigin, BruteForceGuardService, DeviceOwner } from '../login';
import { sessionErrors, SessionsService } from '../session';
import {
  AccountEventsService,
  UserView,
  userView,
  PasswordPolicyService,
  User,
  UserRepository,
  UserCache,
  userTarget,
} from '../users';
import { authErrors } from './auth.errors';
import { ChangePasswordDto } from './dto/account.dto';

/** Whose password was changed: with the version before and the one since. */
export interface PasswordChanged {
  readonly before: DeviceOwner;
  readonly after: DeviceOwner;
}

/** The own password, changed. */
@Injectable()
export class PasswordService {
  constructor(
    private readonly users: UserRepository,
    private readonly userCache: UserCache,
    private readonly hasher: PasswordHasher,
    private readonly policy: PasswordPolicyService,
    private readonly guard: BruteForceGuardService,
    private readonly sessions: SessionsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly events: AccountEventsService,
    private readonly recentLogins: RecentLoginService,
  ) {}

  /**
   * Ends the user's other sessions. Errors: `password_incorrect` (counted by the lockout), `password_too_common`,
   * `validation_failed` (the present one again, too), `reauthentication_required` (no password yet and no recent login),
   * `account_locked`.
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

  /** Asks a logged-in user for the password again. Errors: `refusal` (counted by the lockout), `account_locked`, `rate_limited`. */
  async prove(user: UserView, password: string, origin: AttemptOrigin, refusal: ErrorFactory): Promise<void> {
    const secret = { user, key: user.id, refusal, action: 'password.prove' };
    await this.guard.protect(secret, origin, async () => {
      const stored = await this.users.findPassword(user.id);
      if (!stored || !(await this.hasher.verify(password, stored.hash))) throw refusal();
    });
  }

  private store(caller: Caller, version: number, passwordHash: string): Promise<PasswordChanged> {
    return this.transactions.run(async () => {
      const user = await this.users.lock(caller.userId);
      if (!user) throw sessionErrors.sessionRevoked();
      // The password was changed in the meantime, so the proof of the old one no longer holds.
      if (user.passwordVersion !== version) throw authErrors.passwordIncorrect();
      const after = await this.users.update(user.id, { passwordHash, mustChangePassword: false });
      if (!after) throw sessionErrors.sessionRevoked();
      await this.sessions.revokeAll(user.id, { keep: caller.sessionId });
      await this.audit.record({
        action: 'password.change',
        target: userTarget(user),
      });
      await this.userCache.invalidate(user.id);
      await this.events.changed(user, after);
      return { before: user, after };
    });
  }

  private async proveCurrent(user: User, body: ChangePasswordDto, origin: AttemptOrigin): Promise<void> {
    const { current_password: password, new_password: wanted } = body;
    if (password === undefined) {
      throw platformErrors.validationFailed({ fields: [{ field: 'current_password', code: 'required' }] });
    }
    // The request itself shows it; whether the current password is correct does not matter here.
    this.policy.requireOther(wanted, password, 'new_password');
    await this.prove(userView(user), password, origin, authErrors.passwordIncorrect);
  }
}
