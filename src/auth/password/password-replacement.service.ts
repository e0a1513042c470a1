import { Injectable } from '@nestjs/common';
import { LoginCompletionService } from '../login';
import { SessionsService } from '../../session';
import { AccountChangesService, User, UserRepository, userTarget } from '../../users';
import { codeErrors, CodeTarget, PendingCodesService } from '../../verification';
import { PasswordResetProof } from './password-reset-proof.service';
import { passwordActs } from '../account/auth.acts';

export type NewPassword = Pick<User, 'passwordHash' | 'mustChangePassword'>;

/** Replaces a forgotten password, and ends the sessions and codes of the old one. */
@Injectable()
export class PasswordReplacementService {
  constructor(
    private readonly users: UserRepository,
    private readonly sessions: SessionsService,
    private readonly codes: PendingCodesService,
    private readonly changes: AccountChangesService,
    private readonly completion: LoginCompletionService,
  ) {}

  /**
   * Consumes the code and ends the user's sessions and codes. Call in a transaction. Throws `code_invalid` or
   * `user_disabled`.
   */
  async replace({ user: { id }, target, code }: PasswordResetProof, password: NewPassword): Promise<User> {
    const before = await this.users.lock(id);
    // In the meantime the account may have been deleted, or the contact moved to another account.
    if (!before || !isOwner(before, target)) throw codeErrors.codeInvalid();
    if (before.status !== 'active') {
      throw this.completion.disabledUserError(before, passwordActs.reset, { channel: target.channel });
    }
    await code.consume();
    const after = await this.users.update(id, password);
    if (!after) throw codeErrors.codeInvalid();
    await this.sessions.revokeAll(id);
    await this.codes.endFor(id);
    await this.changes.record(
      before,
      after,
      passwordActs.reset({
        actor: { id, username: before.username },
        target: userTarget(before),
        after: { channel: target.channel },
      }),
    );
    return after;
  }
}

function isOwner(user: User, { channel, key }: CodeTarget): boolean {
  return channel === 'email' ? user.emailVerified && user.emailKey === key : user.phoneVerified && user.phone === key;
}
