import { changedFields } from '../audit';
import { snakeCase } from '../platform/util';
import type { AttributeValues } from './attributes';
import { Contacts } from './contact-normalizer.service';
import { User } from './user.entity';
import { UserChange } from './user.repository';

/** Fields left out of the audit log: a secret, a normalized copy of another field, and values that not all readers may see. */
const UNAUDITED: ReadonlySet<string> = new Set<keyof UserChange>(['passwordHash', 'emailKey', 'attributes']);

/** The members of the change that differ from the stored user. */
export function onlyNew(before: User, change: UserChange): UserChange {
  return Object.fromEntries(Object.entries(change).filter(([name, value]) => before[name as keyof User] !== value));
}

/** A contact keeps its verification when only its spelling changes. A new contact starts unverified. */
export function contactChange(before: User, { email, emailKey, phone }: Contacts): UserChange {
  return {
    ...(email !== undefined && { email }),
    ...(emailKey !== undefined && emailKey !== before.emailKey && { emailKey, emailVerified: false }),
    ...(phone !== undefined && phone !== before.phone && { phone, phoneVerified: false }),
  };
}

/** The names of the attributes whose values differ, for the audit log. */
export function changedAttributes(before: AttributeValues, after: AttributeValues): { readonly attributes?: string[] } {
  const attributes = changedFields({ before, after }).sort();
  return attributes.length > 0 ? { attributes } : {};
}

/** The changed members of the user, before or after, for the audit log. */
export function auditedPart(user: User, change: UserChange): object {
  const names = Object.keys(change).filter((name) => !UNAUDITED.has(name)) as (keyof User)[];
  return Object.fromEntries(names.map((name) => [snakeCase(name), user[name]]));
}
