import { asciiDigits } from './typed-text';

/** Separators in a code, for readability or added by pasting. */
const SEPARATORS = /[\s\p{Dash_Punctuation}\p{Format}]/gu;

/**
 * Normalizes a typed code: `123 456`, `ABCD-EFGH`, `１２３４５６`. Neither separators, case nor the script of digits
 * distinguish codes.
 */
export const codeAsMade = (typed: string): string =>
  asciiDigits(typed.normalize('NFKC').replace(SEPARATORS, '').toLowerCase());
