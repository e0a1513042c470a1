import { formerUsernameKey, normalizeEmail, normalizePhone, usernameKey } from '../users';
import { ForeignUser } from './foreign-user';

/** The name that a user typed at the logins of another system, and what a login here reads it as. */
export interface LoginName {
  readonly text: string;
  /** Undefined for a name that nobody can type here. */
  readonly key: string | undefined;
  readonly email: string | undefined;
  readonly phone: string | undefined;
}

/** What a login finds an account by. */
export interface AccountNames {
  readonly username: string;
  readonly formerUsernameKey: string | null;
  /** Normalized, if it is verified. */
  readonly verifiedEmail: string | null;
  readonly verifiedPhone: string | null;
}

/** A user without a name logs in there by the e-mail address. */
export function loginNameOf(user: ForeignUser, defaultRegion: string): LoginName | undefined {
  const { name, email, formerName = name ?? email } = user;
  if (formerName === undefined || formerName === null) return undefined;
  return {
    text: formerName,
    key: formerUsernameKey(formerName),
    email: normalizeEmail(formerName)?.key,
    phone: normalizePhone(formerName, user.phoneRegion ?? defaultRegion),
  };
}

/** Whether a login with the name finds the account, if no other account has the name. */
export function isFoundBy({ key, email, phone }: LoginName, names: AccountNames): boolean {
  if (key !== undefined && (key === usernameKey(names.username) || key === names.formerUsernameKey)) return true;
  return (
    (email !== undefined && email === names.verifiedEmail) || (phone !== undefined && phone === names.verifiedPhone)
  );
}
