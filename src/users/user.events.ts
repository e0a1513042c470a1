import { defineEvent } from '../platform/events';
import type { UserView } from './user.cache';

export type UserSource = 'register' | 'bind' | 'provider' | 'admin' | 'import';

/** What a listener to new users is given. */
export interface UserCreated {
  readonly userId: string;
  readonly username: string;
  readonly source: UserSource;
}

interface ContactChanged {
  /** As they are now. */
  readonly user: UserView;
  /** The contact that was there; null: there was none. */
  readonly before: string | null;
  readonly wasVerified: boolean;
}

/** What happened to an account that its owner should hear of. */
export type AccountEvent =
  | { readonly type: 'password_changed'; readonly user: UserView }
  | ({ readonly type: 'email_changed' } & ContactChanged)
  | ({ readonly type: 'phone_changed' } & ContactChanged)
  /** What a login asks for beside its first proof was set up, taken away or used up. */
  | { readonly type: 'second_factor_changed'; readonly user: UserView }
  /** A third-party identity was linked to an account that was there before, or unlinked from it. */
  | { readonly type: 'identity_changed'; readonly user: UserView }
  /** A login from a browser that never logged in to the account before. */
  | { readonly type: 'new_device'; readonly user: UserView; readonly ip: string; readonly userAgent: string };

/** An account is there. Hosts listen by `@OnUserCreate()`. */
export const userCreated = defineEvent<UserCreated>('user.created', 'awaited');

/** A third-party account that was linked since the password was last reset. */
export interface ReviewedIdentity {
  readonly provider: string;
  readonly label: string;
  readonly subjectHint: string;
  readonly linkedAt: Date;
  readonly unlinked: boolean;
}

export interface PasswordResetting {
  readonly user: UserView;
  /** The owner wants the identities unlinked that were linked since the last reset. */
  readonly unlinkIdentities: boolean;
  /** Where the listener that keeps them notes them. */
  readonly identities: ReviewedIdentity[];
}

/** The owner proved a contact and gets a new password; what else leads into the account is looked at with it. */
export const passwordResetting = defineEvent<PasswordResetting>('password.resetting', 'in_transaction');

/** An account is about to go: what hangs on it goes, or changes hands, with it. */
export const userDeleting = defineEvent<{ readonly userId: string }>('user.deleting', 'in_transaction');

/** What happened to an account that its owner should hear of. */
export const accountChanged = defineEvent<AccountEvent>('account.changed', 'in_background');
