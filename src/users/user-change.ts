import { snakeCase } from '../platform/text';
import { Contacts } from './contact-normalizer.service';
import { User } from './user.entity';
import { UserChange } from './user.repository';

/** What neither the audit nor anybody else is shown: a secret, and a form of what is shown already. */
const UNTOLD: ReadonlySet<string> = new Set<keyof UserChange>(['passwordHash', 'emailKey']);

/** What of the change is not so already. */
export function onlyNew(before: User, change: UserChange): UserChange {
  return Object.fromEntries(Object.entries(change).filter(([name, value]) => before[name as keyof User] !== value));
}

/** A contact that stays the same, however it is written, keeps its proof; a new one has none yet. */
export function contactChange(before: User, { email, emailKey, phone }: Contacts): UserChange {
  return {
    ...(email !== undefined && { email }),
    ...(emailKey !== undefined && emailKey !== before.emailKey && { emailKey, emailVerified: false }),
    ...(phone !== undefined && phone !== before.phone && { phone, phoneVerified: false }),
  };
}

/** The changed members of the user, before or after, as the audit keeps them. */
export function auditedPart(user: User, change: UserChange): object {
  const names = Object.keys(change).filter((name) => !UNTOLD.has(name)) as (keyof User)[];
  return Object.fromEntries(names.map((name) => [snakeCase(name), user[name]]));
}
