import { Injectable } from '@nestjs/common';
import { PasswordHasher } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { DomainEvents } from '../../platform/jobs/events';
import { AttemptOrigin, LockoutService } from '../login';
import { PasswordPolicyService, passwordResetting, ReviewedIdentity, User, userView } from '../../users';
import { ResetPasswordDto } from '../account/dto/account.dto';
import { PasswordReplacementService } from './password-replacement.service';
import { PasswordResetProofService } from './password-reset-proof.service';

/** Sets a new password for a user who verifies a contact instead of the old password. Opens no session. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly proofs: PasswordResetProofService,
    private readonly policy: PasswordPolicyService,
    private readonly hasher: PasswordHasher,
    private readonly replacement: PasswordReplacementService,
    private readonly lockout: LockoutService,
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Ends every session of the user and a lock of the account, because attempts at the old password no longer matter.
   * Attempts at second factors stay counted. Accepts the current password too, because rejecting it would let the
   * holder of a code test passwords without limit. A password that must be changed still must be. Only success consumes
   * the code.
   * Returns the third-party accounts linked since the last reset, which are unlinked on request.
   * Throws `validation_failed`, `code_invalid`, `password_too_common`, `user_disabled`, `account_locked`,
   * `rate_limited`, `verification_disabled` or `last_credential`.
   */
  async reset(body: ResetPasswordDto, origin: AttemptOrigin): Promise<readonly ReviewedIdentity[]> {
    const proof = await this.proofs.verify(body, origin);
    const { user } = proof;
    await this.policy.check(body.new_password, user.username, 'new_password');
    const passwordHash = await this.hasher.hash(body.new_password);
    const mustChangePassword = await this.isToBeChanged(user, body.new_password);
    const unlinkIdentities = body.unlink_identities ?? false;
    const identities = await this.transactions.run(async () => {
      const after = await this.replacement.replace(proof, { passwordHash, mustChangePassword });
      return this.review(after, unlinkIdentities);
    });
    await this.lockout.unlockFactor(user.id);
    return identities;
  }

  private async review(user: User, unlinkIdentities: boolean): Promise<readonly ReviewedIdentity[]> {
    const identities: ReviewedIdentity[] = [];
    await this.events.publish(passwordResetting, { user: userView(user), unlinkIdentities, identities });
    return identities;
  }

  private async isToBeChanged({ mustChangePassword, passwordHash }: User, password: string): Promise<boolean> {
    return mustChangePassword && passwordHash !== null && (await this.hasher.verify(password, passwordHash));
  }
}
