import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit';
import { Caller, RequestContext } from '../../platform/context';
import { PasswordHasher } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { ErrorFactory, platformErrors, ProblemError } from '../../platform/errors';
import { Guess, Lockout, sessionErrors, Sessions } from '../../session';
import { PasswordPolicy, UserRepository, UserState } from '../../users';
import { authErrors } from '../auth.errors';
import { ChangePasswordDto } from '../dto/account.dto';
import { RecogniseDevice } from '../login.service';

/** The own password: proved again, and changed. */
@Injectable()
export class PasswordService {
  constructor(
    private readonly users: UserRepository,
    private readonly userState: UserState,
    private readonly hasher: PasswordHasher,
    private readonly policy: PasswordPolicy,
    private readonly lockout: Lockout,
    private readonly sessions: Sessions,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
  ) {}

  /** Makes the login recent. Errors: `invalid_credentials`, `account_locked`, `rate_limited`. */
  async reauthenticate(
    caller: Caller,
    password: string,
    request: RequestContext,
    recognise: RecogniseDevice,
  ): Promise<void> {
    await this.prove(caller, password, request, recognise, authErrors.invalidCredentials);
    await this.transactions.run(async () => {
      await this.sessions.confirm(caller.sessionId);
      await this.audit.record({ action: 'session.reauthenticate', target: { type: 'session', id: caller.sessionId } });
    });
  }

  /**
   * Ends the user's other sessions. Errors: `password_incorrect` (counted by the lockout), `password_too_common`,
   * `validation_failed`, `reauthentication_required` (no password yet and no recent login), `account_locked`.
   */
  async change(
    caller: Caller,
    body: ChangePasswordDto,
    request: RequestContext,
    recognise: RecogniseDevice,
  ): Promise<void> {
    const user = await this.users.findById(caller.userId);
    if (!user) throw sessionErrors.sessionRevoked();
    if (user.passwordHash !== null) await this.proveCurrent(caller, body.current_password, request, recognise);
    else if (!caller.recentLogin) throw platformErrors.reauthenticationRequired();
    await this.policy.check(body.new_password, caller.username, 'new_password');
    const passwordHash = await this.hasher.hash(body.new_password);
    await this.store(caller, user.passwordVersion, passwordHash);
  }

  private async store(caller: Caller, version: number, passwordHash: string): Promise<void> {
    await this.transactions.run(async () => {
      const user = await this.users.lock(caller.userId);
      if (!user) throw sessionErrors.sessionRevoked();
      // Changed meanwhile by somebody who knew the password as well: what was proved no longer holds.
      if (user.passwordVersion !== version) throw authErrors.passwordIncorrect();
      await this.users.update(user.id, { passwordHash, mustChangePassword: false });
      await this.sessions.revokeAll(user.id, { keep: caller.sessionId });
      await this.audit.record({
        action: 'password.change',
        target: { type: 'user', id: user.id, label: user.username },
      });
      await this.userState.changed(user.id);
    });
  }

  private async proveCurrent(
    caller: Caller,
    password: string | undefined,
    request: RequestContext,
    recognise: RecogniseDevice,
  ): Promise<void> {
    if (password === undefined) {
      throw platformErrors.validationFailed({ fields: [{ field: 'current_password', code: 'required' }] });
    }
    await this.prove(caller, password, request, recognise, authErrors.passwordIncorrect);
  }

  private async prove(
    { userId, username }: Caller,
    password: string,
    { limitKey }: RequestContext,
    recognise: RecogniseDevice,
    refusal: ErrorFactory,
  ): Promise<void> {
    const device = recognise(await this.userState.find(userId));
    const guess = await this.lockout.take({ subject: userId, address: limitKey, ...(device && { device }) });
    try {
      const stored = await this.users.findPassword(userId);
      if (!stored || !(await this.hasher.verify(password, stored.hash))) throw refusal();
    } catch (error) {
      const isRefused = error instanceof ProblemError && error.code === refusal.code;
      if (isRefused) await this.refused(guess, { userId, username });
      else await guess.abandoned();
      throw error;
    }
    await guess.succeeded();
  }

  private async refused(guess: Guess, { userId, username }: Pick<Caller, 'userId' | 'username'>): Promise<void> {
    const locked = await guess.failed();
    await this.audit.recordFailure({
      action: 'password.prove',
      target: { type: 'user', id: userId, label: username },
      ...(locked && { after: { locked } }),
    });
  }
}
