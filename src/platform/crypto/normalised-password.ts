/** NFC takes quadratic time for hostile texts. No password that the rules accept is near this many UTF-16 units. */
const MAX_NORMALISED_UNITS = 4_096;

/**
 * Returns the password in NFC (NIST SP 800-63B-4 §3.1.1.2), so that the keyboard's way to compose letters does not
 * matter.
 */
export function normalisedPassword(plaintext: string): string {
  return plaintext.length > MAX_NORMALISED_UNITS ? plaintext : plaintext.normalize('NFC');
}

/**
 * The forms in which another system may have hashed the password: as typed, or as a keyboard types it that composes
 * letters (NFC) or does not (NFD).
 */
export function passwordForms(plaintext: string): readonly string[] {
  if (plaintext.length > MAX_NORMALISED_UNITS) return [plaintext];
  return [...new Set([plaintext, plaintext.normalize('NFC'), plaintext.normalize('NFD')])];
}

/** Whether the same hash matches both passwords. */
export function isSamePassword(one: string, other: string): boolean {
  return normalisedPassword(one) === normalisedPassword(other);
}
