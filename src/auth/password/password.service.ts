import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit';
import { Caller } from '../../platform/context';
import { PasswordHasher } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { DeviceOwner, sessionErrors, Sessions } from '../../session';
import { AccountEvents, knownUser, PasswordPolicy, User, UserRepository, UserState, userTarget } from '../../users';
import { authErrors } from '../auth.errors';
import { ChangePasswordDto } from '../dto/account.dto';
import { Guesser } from '../guesses';
import { PasswordProof } from './password-proof';

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
    private readonly userState: UserState,
    private readonly hasher: PasswordHasher,
    private readonly policy: PasswordPolicy,
    private readonly proof: PasswordProof,
    private readonly sessions: Sessions,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    private readonly events: AccountEvents,
  ) {}

  /**
   * Ends the user's other sessions. Errors: `password_incorrect` (counted by the lockout), `password_too_common`,
   * `validation_failed` (the present one again, too), `reauthentication_required` (no password yet and no recent login),
   * `account_locked`.
   */
  async change(caller: Caller, body: ChangePasswordDto, guesser: Guesser): Promise<PasswordChanged> {
    const user = await this.users.findById(caller.userId);
    if (!user) throw sessionErrors.sessionRevoked();
    if (user.passwordHash !== null) await this.proveCurrent(user, body, guesser);
    else if (!caller.recentLogin) throw platformErrors.reauthenticationRequired();
    await this.policy.check(body.new_password, caller.username, 'new_password');
    const passwordHash = await this.hasher.hash(body.new_password);
    return this.store(caller, user.passwordVersion, passwordHash);
  }

  private store(caller: Caller, version: number, passwordHash: string): Promise<PasswordChanged> {
    return this.transactions.run(async () => {
      const user = await this.users.lock(caller.userId);
      if (!user) throw sessionErrors.sessionRevoked();
      // Changed meanwhile by somebody who knew the password as well: what was proved no longer holds.
      if (user.passwordVersion !== version) throw authErrors.passwordIncorrect();
      const after = await this.users.update(user.id, { passwordHash, mustChangePassword: false });
      if (!after) throw sessionErrors.sessionRevoked();
      await this.sessions.revokeAll(user.id, { keep: caller.sessionId });
      await this.audit.record({
        action: 'password.change',
        target: userTarget(user),
      });
      await this.userState.changed(user.id);
      await this.events.changed(user, after);
      return { before: user, after };
    });
  }

  private async proveCurrent(user: User, body: ChangePasswordDto, guesser: Guesser): Promise<void> {
    const { current_password: password, new_password: wanted } = body;
    if (password === undefined) {
      throw platformErrors.validationFailed({ fields: [{ field: 'current_password', code: 'required' }] });
    }
    // What was typed tells it; whether the current one is right need not be known for that.
    this.policy.requireOther(wanted, password, 'new_password');
    await this.proof.prove(knownUser(user), password, guesser, authErrors.passwordIncorrect);
  }
}
