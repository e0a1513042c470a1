import { Injectable } from '@nestjs/common';
import { Audit, AuditEntry } from '../audit';
import { Transactions } from '../platform/database';
import { User, userTarget } from '../users';
import { authErrors } from './auth.errors';

/** What right credentials of a disabled account come to. */
@Injectable()
export class DisabledRefusal {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: Audit,
  ) {}

  /**
   * The error to be thrown in the caller's transaction. It leaves a trace: somebody who was shut out still has what opens
   * the account.
   */
  of(user: User, action: string, tried: AuditEntry['after']): Error {
    const refusal = authErrors.userDisabled();
    this.transactions.afterRollback(() =>
      this.audit.recordFailure({ action, target: userTarget(user), after: { ...tried, code: refusal.code } }),
    );
    return refusal;
  }
}
