import { commonPasswords } from './common-passwords';
import { codePointLength } from '../../platform/text';

export interface PasswordRules {
  /** The username of the account; a password equal to it in any case is refused. */
  readonly username?: string;
  /** Whether the common passwords and the username are refused (setting `security.reject_common_passwords`). */
  readonly rejectCommon: boolean;
  /** Fewest code points after NFC. */
  readonly minLength: number;
  /** Most code points after NFC. */
  readonly maxLength: number;
}

/** `password_too_common` is an error of its own in the contract; the others are codes of the field. */
export type PasswordViolation = 'well_formed' | 'min_length' | 'max_length' | 'password_too_common';

/** NFC makes at most four code points, two UTF-16 units each, into one; a longer text is too long in any form. */
const MAX_UNITS_A_CODE_POINT = 8;

/** The first rule a new password breaks, or undefined. Any Unicode is welcome, nothing is trimmed (NIST SP 800-63B-4 §3.1.1.2). */
export function checkPassword(password: string, rules: PasswordRules): PasswordViolation | undefined {
  // Asked before NFC, which costs the square of the length for hostile texts.
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
