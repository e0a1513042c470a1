import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { accessErrors } from '../platform/access';
import { Caller } from '../platform/context';
import { PasswordHasher } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { Factors } from '../mfa';
import { Authority, Roles } from '../rbac';
import { Lockout, SessionNow, Sessions } from '../session';
import { AccountEvents, PasswordPolicy, User, UserRepository, UserState, userTarget } from '../users';
import { SetPasswordDto } from './dto/user-input.dto';
import { TargetUsers } from './target-users.service';

/** The ways into another's account: its password, its sessions, the lock on it. */
@Injectable()
export class AccountAccess {
  constructor(
    private readonly policy: PasswordPolicy,
    private readonly hasher: PasswordHasher,
    private readonly users: UserRepository,
    private readonly userState: UserState,
    private readonly targets: TargetUsers,
    private readonly authority: Authority,
    private readonly roles: Roles,
    private readonly sessions: Sessions,
    private readonly lockout: Lockout,
    private readonly factors: Factors,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    private readonly events: AccountEvents,
  ) {}

  /**
   * Ends the user's sessions. Errors: `validation_failed`, `password_too_common`, `not_found`, `escalation_denied` (also
   * for the own password, which is changed with the current one).
   */
  async setPassword(caller: Caller, id: string, body: SetPasswordDto): Promise<void> {
    const { new_password: password, must_change_password: mustChangePassword = true } = body;
    const user = await this.users.findById(id);
    await this.policy.check(password, user?.username ?? '', 'new_password');
    if (!user) throw platformErrors.notFound();
    if (id === caller.userId) throw accessErrors.escalationDenied();
    const passwordHash = await this.hasher.hash(password);
    await this.act(caller, id, async (before) => {
      const after = await this.users.update(id, { passwordHash, mustChangePassword });
      await this.sessions.revokeAll(id);
      await this.audit.record({
        action: 'password.set',
        target: userTarget(before),
        before: { has_password: before.passwordHash !== null, must_change_password: before.mustChangePassword },
        after: { has_password: true, must_change_password: mustChangePassword },
      });
      await this.userState.changed(id);
      if (after) await this.events.changed(before, after);
    });
  }

  /** Newest activity first. Errors: `not_found`. */
  async listSessions(id: string): Promise<SessionNow[]> {
    if (!(await this.userState.find(id))) throw platformErrors.notFound();
    return this.sessions.list(id);
  }

  /** Errors: `not_found`, `escalation_denied`. */
  async revokeSession(caller: Caller, id: string, sessionId: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.targets.lock(id);
      const live = await this.sessions.list(id);
      if (!live.some((session) => session.id === sessionId)) throw platformErrors.notFound();
      await this.authority.requireCoverOfUser(caller, id);
      await this.sessions.revoke(sessionId, id);
    });
  }

  /** Errors: `not_found`, `escalation_denied`. */
  async revokeSessions(caller: Caller, id: string): Promise<void> {
    await this.act(caller, id, () => this.sessions.revokeAll(id));
  }

  /**
   * Takes all second factors away; who must have one sets it up at the next login. Ends the user's sessions. Errors:
   * `not_found`, `escalation_denied` (also for oneself, who does it one by one with a second factor), `last_admin` (who
   * may log in by passkeys alone).
   */
  async resetFactors(caller: Caller, id: string): Promise<void> {
    await this.act(caller, id, async (user) => {
      if (id === caller.userId) throw accessErrors.escalationDenied();
      await this.roles.keepAdministrators(() => this.factors.reset(user));
      await this.sessions.revokeAll(id);
    });
  }

  /** Ends every lock after failed logins, and forgets the failures. Errors: `not_found`, `escalation_denied`. */
  async unlock(caller: Caller, id: string): Promise<void> {
    const lockedSeconds = await this.lockout.lockedFor(id);
    await this.act(caller, id, ({ username }) =>
      this.audit.record({
        action: 'user.unlock',
        target: userTarget({ id, username }),
        before: { locked_seconds: lockedSeconds },
        after: { locked_seconds: 0 },
      }),
    );
    await this.lockout.unlock(id);
  }

  private async act(caller: Caller, id: string, write: (user: User) => Promise<unknown>): Promise<void> {
    await this.transactions.run(async () => {
      const user = await this.targets.lock(id);
      await this.authority.requireCoverOfUser(caller, id);
      await write(user);
    });
  }
}
