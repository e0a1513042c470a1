import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { Jobs } from '../platform/jobs';
import { KnownUser, knownUser } from './user-state';
import { User } from './user.entity';

interface ContactChanged {
  /** As they are now. */
  readonly user: KnownUser;
  /** The contact that was there; null: there was none. */
  readonly before: string | null;
  readonly wasVerified: boolean;
}

/** What happened to an account that its owner should hear of. */
export type AccountEvent =
  | { readonly type: 'password_changed'; readonly user: KnownUser }
  | ({ readonly type: 'email_changed' } & ContactChanged)
  | ({ readonly type: 'phone_changed' } & ContactChanged)
  /** What a login asks for beside its first proof was set up, taken away or used up. */
  | { readonly type: 'second_factor_changed'; readonly user: KnownUser }
  /** A login from a browser that never logged in to the account before. */
  | { readonly type: 'new_device'; readonly user: KnownUser; readonly ip: string; readonly userAgent: string };

export type AccountListener = (event: AccountEvent) => Promise<void>;

/** Tells listeners of changes once they are committed, in the background: nobody waits for them, none can undo anything. */
@Injectable()
export class AccountEvents {
  private readonly listeners: AccountListener[] = [];

  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  /** To be called while modules are built. */
  listen(listener: AccountListener): void {
    this.listeners.push(listener);
  }

  /** Announces what of password and contacts is another now. To be called in the transaction of the change. */
  async changed(before: User, after: User): Promise<void> {
    const user = knownUser(after);
    if (before.passwordVersion !== after.passwordVersion) await this.announce({ type: 'password_changed', user });
    if (before.emailKey !== after.emailKey) {
      await this.announce({ type: 'email_changed', user, before: before.email, wasVerified: before.emailVerified });
    }
    if (before.phone !== after.phone) {
      await this.announce({ type: 'phone_changed', user, before: before.phone, wasVerified: before.phoneVerified });
    }
  }

  /** To be called in the transaction of what happened. */
  announce(event: AccountEvent): Promise<void> {
    return this.transactions.afterCommit(() => {
      for (const listener of this.listeners) {
        this.jobs.soon({ name: `listener to ${event.type}`, run: () => listener(event) });
      }
    });
  }
}
