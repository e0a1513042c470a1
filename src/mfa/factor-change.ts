import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { sessionErrors, Sessions } from '../session';
import { AccountEvents, knownUser, User, UserRepository, userTarget } from '../users';
import { FactorState } from './factor-state';

export interface FactorChange {
  readonly action: string;
  readonly before?: object;
  readonly after?: object;
}

/** What every change of a user's factors has in common: it waits for others of the user, is written down, and told. */
@Injectable()
export class FactorChanges {
  constructor(
    private readonly users: UserRepository,
    private readonly state: FactorState,
    private readonly sessions: Sessions,
    private readonly events: AccountEvents,
    private readonly audit: Audit,
    private readonly transactions: Transactions,
  ) {}

  /** The user's own change, in one transaction with what is written down of it. */
  own<T>(caller: Caller, work: () => Promise<T>, describe: (result: T) => FactorChange): Promise<T> {
    return this.within(caller, work, (user, result) => this.record(user, describe(result)));
  }

  /** As `own`, for what changes no login: it is written down, and nobody is alarmed. */
  labelled<T>(caller: Caller, work: () => Promise<T>, describe: (result: T) => FactorChange): Promise<T> {
    return this.within(caller, work, (user, result) => this.writeDown(user, describe(result)));
  }

  /** As `own`, for a factor that was proved by being set up: the session has proved a second factor then. */
  added<T>(
    caller: Caller,
    amr: readonly string[],
    work: () => Promise<T>,
    describe: (result: T) => FactorChange,
  ): Promise<T> {
    const proved = { first: false, second: true, amr: [...amr, 'mfa'] };
    const proving = async (): Promise<T> => {
      const result = await work();
      await this.sessions.confirm(caller.sessionId, proved);
      return result;
    };
    return this.own(caller, proving, describe);
  }

  /** In the transaction of the change, with the user locked. */
  async record(user: User, change: FactorChange): Promise<void> {
    await this.writeDown(user, change);
    await this.state.changed(user.id);
    await this.events.announce({ type: 'second_factor_changed', user: knownUser(user) });
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

  private async writeDown(user: User, { action, before, after }: FactorChange): Promise<void> {
    await this.audit.record({
      action,
      target: userTarget(user),
      ...(before && { before }),
      ...(after && { after }),
    });
  }
}
