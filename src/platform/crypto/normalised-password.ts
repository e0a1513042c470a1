/** NFC costs the square of the length for hostile texts; no password the rules accept is near this many UTF-16 units. */
const MAX_NORMALISED_UNITS = 4_096;

/** A password as it is hashed, in NFC (NIST SP 800-63B-4 §3.1.1.2), whichever way the keyboard composes letters. */
export function normalisedPassword(plaintext: string): string {
  return plaintext.length > MAX_NORMALISED_UNITS ? plaintext : plaintext.normalize('NFC');
}

/** Whether one hash is right for both. */
export function isSamePassword(one: string, other: string): boolean {
  return normalisedPassword(one) === normalisedPassword(other);
}
