import { EmailAddress, normalizeEmail } from '../../users';
import { SettingsReader } from '../../platform/settings';
import { contactRequired, emailCodeRequired, phoneCodeRequired } from '../account/auth.settings';
import { ContactsRequired } from '../account/contacts.service';

/** Contacts of a new user that are verified without a code: by a login provider or an invitation. */
export interface VouchedContacts {
  readonly provenEmail?: EmailAddress | undefined;
  /** E.164. */
  readonly provenPhone?: string | undefined;
  /** The user names no other contact, and needs none: an invitation was sent to one that is verified. */
  readonly codesWaived?: boolean;
}

/** A verified e-mail needs no code, and is used when the registration names no e-mail. */
export function chooseEmail<T>(
  given: T | undefined,
  { provenEmail }: VouchedContacts,
): { readonly email: T | string | undefined; readonly isProven: boolean } {
  const email = given === undefined ? provenEmail?.display : given;
  return { email, isProven: provenEmail !== undefined && normalizeEmail(email)?.key === provenEmail.key };
}

export async function requiredBySettings(settings: SettingsReader): Promise<ContactsRequired> {
  return {
    email: await settings.get(emailCodeRequired),
    phone: await settings.get(phoneCodeRequired),
    contact: await settings.get(contactRequired),
  };
}

/** What the registration must bring, of what the settings require. */
export function stillRequired(
  bySettings: ContactsRequired,
  { provenPhone, codesWaived = false }: VouchedContacts,
  isEmailProven: boolean,
): ContactsRequired {
  return {
    email: bySettings.email && !isEmailProven && !codesWaived,
    phone: bySettings.phone && provenPhone === undefined && !codesWaived,
    contact: codesWaived ? 'none' : bySettings.contact,
  };
}
