import { Injectable } from '@nestjs/common';
import { AuditEntry, AuditService } from '../audit';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { sessionErrors, SessionsService } from '../session';
import { AccountEventsService, userView, User, UserRepository, userTarget } from '../users';
import { FactorCache } from './factor.cache';

/** Shared by all changes of a user's factors: locks the user, audits the change and notifies the user. */
@Injectable()
export class FactorChangesService {
  constructor(
    private readonly users: UserRepository,
    private readonly state: FactorCache,
    private readonly sessions: SessionsService,
    private readonly events: AccountEventsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /** Runs the user's own change in one transaction with its audit entry. */
  own<T>(caller: Caller, work: () => Promise<T>, describe: (result: T) => AuditEntry): Promise<T> {
    return this.within(caller, work, (user, result) => this.record(user, describe(result)));
  }

  /** Same as `own`, for changes that do not affect login: audited, without a notice. */
  labelled<T>(caller: Caller, work: () => Promise<T>, describe: (result: T) => AuditEntry): Promise<T> {
    return this.within(caller, work, (user, result) => this.auditChange(user, describe(result)));
  }

  /** Same as `own`, for a new factor. Setting it up verified it, so the session then has a verified second factor. */
  added<T>(
    caller: Caller,
    amr: readonly string[],
    work: () => Promise<T>,
    describe: (result: T) => AuditEntry,
  ): Promise<T> {
    const proved = { first: false, second: true, amr: [...amr, 'mfa'] };
    const proving = async (): Promise<T> => {
      const result = await work();
      await this.sessions.confirm(caller.sessionId, proved);
      return result;
    };
    return this.own(caller, proving, describe);
  }

  /** Call in the transaction of the change, with the user locked. */
  async record(user: User, change: AuditEntry): Promise<void> {
    await this.auditChange(user, change);
    await this.state.invalidate(user.id);
    await this.events.announce({ type: 'second_factor_changed', user: userView(user) });
  }

  private within<T>(
    { userId }: Caller,
    work: () => Promise<T>,
    after: (user: User, result: T) => Promise<void>,
  ): Promise<T> {
    return this.transactions.run(async () => {
      const user = await this.users.lock(userId);
      if (!user) throw sessionErrors.sessionRevoked();
      const result = await work();
      await after(user, result);
      return result;
    });
  }

  private async auditChange(user: User, change: AuditEntry): Promise<void> {
    await this.audit.record({ ...change, target: userTarget(user) });
  }
}
