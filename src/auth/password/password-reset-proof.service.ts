import { Injectable } from '@nestjs/common';
import { AttemptOrigin, BruteForceGuardService } from '../login';
import { User, userView } from '../../users';
import {
  codeErrors,
  CodeProof,
  CodeProofsService,
  CodeTarget,
  CodeTargetsService,
  contactOf,
} from '../../verification';
import { ResetPasswordDto } from '../account/dto/account.dto';
import { passwordActs } from '../account/auth.acts';

/** The owner of a contact, with the code that verifies it. */
export interface PasswordResetProof {
  readonly user: User;
  readonly target: CodeTarget;
  readonly code: CodeProof;
}

/** Verifies the code that replaces the old password. */
@Injectable()
export class PasswordResetProofService {
  constructor(
    private readonly targets: CodeTargetsService,
    private readonly proofs: CodeProofsService,
    private readonly guard: BruteForceGuardService,
  ) {}

  /**
   * Works even while the account is locked. Throws `validation_failed`, `code_invalid` (also when no account has the
   * contact), `rate_limited` or `verification_disabled`.
   */
  async verify(body: ResetPasswordDto, origin: AttemptOrigin): Promise<PasswordResetProof> {
    const target = await this.targets.read(body.channel, body.target);
    const user = await this.targets.findOwner(target);
    const createError = codeErrors.codeInvalid;
    const secret = {
      user: user ? userView(user) : undefined,
      key: user?.id ?? `${contactOf[target.channel]} ${target.key}`,
      createError,
      act: passwordActs.reset,
      limits: 'address',
    } as const;
    return this.guard.protect(secret, origin, async () => {
      const { channel, key } = target;
      const place = { purpose: 'reset_password', channel, key, browsers: origin.cookies.codeSecrets } as const;
      const code = await this.proofs.check({ ...place, code: body.code, userId: user?.id });
      if (!user) throw createError();
      return { user, target, code };
    });
  }
}
