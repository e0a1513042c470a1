import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { Caller, RequestContext } from '../platform/context';
import { Transactions } from '../platform/database';
import { usersErrors, userTarget } from '../users';
import { SendCodeResult, CodesService } from '../verification';
import { TargetUsersService } from './target-users.service';
import { userAdminActs } from './user-admin.acts';

/** Lets an administrator start a password reset that only the user can finish. */
@Injectable()
export class PasswordResetRequestsService {
  constructor(
    private readonly targets: TargetUsersService,
    private readonly codes: CodesService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /**
   * Sends the reset code to the user's own verified contact. Throws `not_found`, `escalation_denied`, `user_disabled`,
   * `no_verified_contact`, `verification_disabled`, `rate_limited`, `code_daily_limit_reached` or
   * `code_resend_too_soon`.
   */
  request(caller: Caller, id: string, request: RequestContext): Promise<SendCodeResult> {
    return this.transactions.run(async () => {
      const user = await this.targets.lockToContain(caller, id);
      if (user.status !== 'active') throw usersErrors.userDisabled();
      const target = await this.codes.resetTarget(user);
      const promise = await this.codes.sendReset(target, request);
      await this.audit.record(userAdminActs.requestPasswordReset, {
        target: userTarget(user),
        after: { channel: target.channel },
      });
      return promise;
    });
  }
}
