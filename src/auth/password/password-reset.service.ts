import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit';
import { PasswordHasher } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { Lockout, Sessions } from '../../session';
import { AccountEvents, knownUser, PasswordPolicy, User, UserRepository, UserState, userTarget } from '../../users';
import { codeErrors, CodeProof, CodeProofs, Codes, CodeTarget, CodeTargets, contactOf } from '../../verification';
import { DisabledRefusal } from '../disabled-refusal';
import { ResetPasswordDto } from '../dto/account.dto';
import { Guesser, Guesses } from '../guesses';

type NewPassword = Pick<User, 'passwordHash' | 'mustChangePassword'>;

/** A new password for somebody who proves a contact instead of the old one. It opens no session. */
@Injectable()
export class PasswordReset {
  constructor(
    private readonly targets: CodeTargets,
    private readonly proofs: CodeProofs,
    private readonly codes: Codes,
    private readonly guesses: Guesses,
    private readonly lockout: Lockout,
    private readonly users: UserRepository,
    private readonly userState: UserState,
    private readonly policy: PasswordPolicy,
    private readonly hasher: PasswordHasher,
    private readonly sessions: Sessions,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    private readonly disabled: DisabledRefusal,
    private readonly events: AccountEvents,
  ) {}

  /**
   * Ends every session of the user, and a lock of the account: guesses at the former password are worth nothing. Those at
   * second factors stay counted. The present password is taken, too: a refusal would tell whoever has a code, as often as
   * they ask, whether they guessed it. Where it has to be changed, it still has to. The code is spent by success only.
   * Errors: `validation_failed`, `code_invalid`, `password_too_common`, `user_disabled`, `account_locked`, `rate_limited`,
   * `verification_disabled`.
   */
  async reset(body: ResetPasswordDto, guesser: Guesser): Promise<void> {
    const target = await this.targets.read(body.channel, body.target);
    const owner = await this.targets.findOwner(target);
    const { user, proof } = await this.judge(body.code, target, owner, guesser);
    await this.policy.check(body.new_password, user.username, 'new_password');
    const passwordHash = await this.hasher.hash(body.new_password);
    const mustChangePassword = await this.isToBeChanged(user, body.new_password);
    await this.transactions.run(() => this.store(user, target, proof, { passwordHash, mustChangePassword }));
    await this.lockout.unlockFactor(user.id);
  }

  private async judge(
    code: string,
    target: CodeTarget,
    user: User | null,
    guesser: Guesser,
  ): Promise<{ user: User; proof: CodeProof }> {
    const refusal = codeErrors.codeInvalid;
    const secret = {
      user: user ? knownUser(user) : undefined,
      name: `${contactOf[target.channel]} ${target.key}`,
      refusal,
      action: 'password.reset',
      opensLock: true,
    };
    return this.guesses.judge(secret, guesser, async () => {
      const { channel, key } = target;
      const proof = await this.proofs.check({ purpose: 'reset_password', channel, key, code, userId: user?.id });
      if (!user) throw refusal();
      return { user, proof };
    });
  }

  private async isToBeChanged({ mustChangePassword, passwordHash }: User, password: string): Promise<boolean> {
    return mustChangePassword && passwordHash !== null && (await this.hasher.verify(password, passwordHash));
  }

  private async store({ id }: User, target: CodeTarget, proof: CodeProof, password: NewPassword): Promise<void> {
    const before = await this.users.lock(id);
    // Meanwhile the account may be gone, or the contact another's.
    if (!before || !isOwner(before, target)) throw codeErrors.codeInvalid();
    if (before.status !== 'active') throw this.disabled.of(before, 'password.reset', { channel: target.channel });
    await proof.spend();
    const after = await this.users.update(id, password);
    if (!after) throw codeErrors.codeInvalid();
    await this.sessions.revokeAll(id);
    await this.codes.endFor(id);
    await this.audit.record({
      action: 'password.reset',
      actor: { id, username: before.username },
      target: userTarget(before),
      after: { channel: target.channel },
    });
    await this.userState.changed(id);
    await this.events.changed(before, after);
  }
}

function isOwner(user: User, { channel, key }: CodeTarget): boolean {
  return channel === 'email' ? user.emailVerified && user.emailKey === key : user.phoneVerified && user.phone === key;
}
