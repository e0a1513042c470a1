import { commonPasswords } from './common-passwords';
import { codePointLength } from '../util';

export interface PasswordRules {
  /** The account's username. A password equal to it, ignoring case, is rejected. */
  readonly username?: string;
  /** Whether common passwords and the username are rejected (setting `security.reject_common_passwords`). */
  readonly rejectCommon: boolean;
  /** In code points after NFC. */
  readonly minLength: number;
  /** In code points after NFC. */
  readonly maxLength: number;
}

export const PASSWORD_LENGTH = { min: 8, max: 256 } as const;

/** `password_too_common` is an error code of the API. The others are field codes. */
export type PasswordViolation = 'well_formed' | 'min_length' | 'max_length' | 'password_too_common';

/** NFC joins at most four code points of two UTF-16 units each into one, so a longer text is too long in any form. */
const MAX_UNITS_A_CODE_POINT = 8;

/**
 * Returns the first rule that a new password breaks, or undefined. Allows any Unicode and trims nothing (NIST SP
 * 800-63B-4 §3.1.1.2).
 */
export function checkPassword(password: string, rules: PasswordRules): PasswordViolation | undefined {
  // Checked before NFC, which takes quadratic time on hostile input.
  if (password.length > rules.maxLength * MAX_UNITS_A_CODE_POINT) return 'max_length';
  if (!password.isWellFormed()) return 'well_formed';
  const normalised = password.normalize('NFC');
  const length = codePointLength(normalised);
  if (length < rules.minLength) return 'min_length';
  if (length > rules.maxLength) return 'max_length';
  return rules.rejectCommon && isGuessable(normalised, rules.username) ? 'password_too_common' : undefined;
}

function isGuessable(normalised: string, username: string | undefined): boolean {
  const folded = normalised.toLowerCase();
  return folded === username?.toLowerCase() || commonPasswords().has(folded);
}
