import { defineEvent } from '../platform/jobs/events';
import type { UserView } from './user.cache';

/** `operator`: the first administrator. */
export type UserSource = 'register' | 'bind' | 'provider' | 'admin' | 'import' | 'operator';

/** The payload for listeners to new users. */
export interface UserCreated {
  readonly userId: string;
  readonly username: string;
  readonly source: UserSource;
}

interface ContactChanged {
  /** The user after the change. */
  readonly user: UserView;
  /** The previous contact, or null. */
  readonly before: string | null;
  readonly wasVerified: boolean;
}

/** Account changes that the owner is notified about. */
export type AccountEvent =
  | { readonly type: 'password_changed'; readonly user: UserView }
  | ({ readonly type: 'email_changed' } & ContactChanged)
  | ({ readonly type: 'phone_changed' } & ContactChanged)
  /** A second factor was added, removed or used up. */
  | { readonly type: 'second_factor_changed'; readonly user: UserView }
  /** A third-party identity was linked to an existing account or unlinked from it. */
  | { readonly type: 'identity_changed'; readonly user: UserView }
  /** A webhook of the user was disabled after failures. */
  | { readonly type: 'webhook_disabled'; readonly user: UserView; readonly webhook: string }
  /** Another user began to act as this one. */
  | { readonly type: 'acting_started'; readonly user: UserView; readonly actor: string }
  /** An administrator of an organization made the user a member, who has not accepted yet. */
  | {
      readonly type: 'membership_pending';
      readonly user: UserView;
      readonly organization: { readonly slug: string; readonly name: string };
    }
  /** The owner asked to delete the account, the request was cancelled, its time is near, or the account was deleted. */
  | {
      readonly type: 'deletion_requested' | 'deletion_cancelled' | 'deletion_reminder' | 'account_deleted';
      readonly user: UserView;
    }
  /** A login from a browser that never logged in to the account before. */
  | { readonly type: 'new_device'; readonly user: UserView; readonly ip: string; readonly userAgent: string };

/** A user was created. Hosts listen with `@OnUserCreate()`. */
export const userCreated = defineEvent<UserCreated>('user.created', 'awaited');

/** A third-party account that was linked since the last password reset. */
export interface ReviewedIdentity {
  readonly provider: string;
  readonly label: string;
  readonly subjectHint: string;
  readonly linkedAt: Date;
  readonly unlinked: boolean;
}

export interface PasswordResetting {
  readonly user: UserView;
  /** Whether to unlink the identities linked since the last reset. */
  readonly unlinkIdentities: boolean;
  /** The listener that owns identities adds the reviewed ones here. */
  readonly identities: ReviewedIdentity[];
}

/** The owner verified a contact and gets a new password. Listeners review the other ways to log in. */
export const passwordResetting = defineEvent<PasswordResetting>('password.resetting', 'in_transaction');

/** Contacts that a user has verified, in their stored form. */
export interface ContactsProven {
  readonly userId: string;
  readonly emailKey?: string | undefined;
  /** E.164. */
  readonly phone?: string | undefined;
}

/**
 * A user verified contacts that were not verified for the user before. Listeners run after the commit: grants are locked
 * before users, and the user is locked until then.
 */
export const contactsProven = defineEvent<ContactsProven>('contacts.proven', 'awaited');

/** Same as `contactsProven`, in the transaction: listeners note what must follow. They take no lock of grants. */
export const contactsBeingProven = defineEvent<ContactsProven>('contacts.being_proven', 'in_transaction');

/** An account is being deleted. Listeners delete or reassign what belongs to it. */
export const userDeleting = defineEvent<{ readonly userId: string }>('user.deleting', 'in_transaction');

/** Users were disabled: what acts for them is suspended. */
export const usersDisabled = defineEvent<{ readonly userIds: readonly string[] }>('users.disabled', 'in_transaction');

/** Disabled users were enabled: what acts for them does so again. */
export const usersEnabled = defineEvent<{ readonly userIds: readonly string[] }>('users.enabled', 'in_transaction');

/** A user has another avatar. Listeners delete the picture of the former one. */
export const avatarChanged = defineEvent<{ readonly userId: string }>('user.avatar_changed', 'in_transaction');

export const accountChanged = defineEvent<AccountEvent>('account.changed', 'in_background');

/** One act changed many accounts. A listener handles few of them at a time. */
export const accountsChanged = defineEvent<readonly AccountEvent[]>('accounts.changed', 'in_background');
