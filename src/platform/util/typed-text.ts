/** Invisible characters, such as those around a phone number that was copied from a list of contacts. */
const INVISIBLE = /[\p{Format}\p{Default_Ignorable_Code_Point}]/gu;
const DIGIT = /\p{Decimal_Number}/gu;
const IS_DIGIT = /^\p{Decimal_Number}$/u;
/** No digit of a code point below has other digits beside it. */
const FIRST_OTHER_DIGIT = 0x660;

/**
 * What a person typed or pasted as an identifier: compatibility forms are replaced (full-width letters, NFKC), and
 * invisible characters and surrounding space are gone. Never for passwords.
 */
export const typedText = (text: string): string =>
  // Letters that an invisible character separated are composed only now.
  text.normalize('NFKC').replace(INVISIBLE, '').normalize('NFKC').trim();

/** Marks that a list or sentence has after an address, a number or a code that was copied from it. */
const MARKS_AFTER = /[\s,;。、]+$/u;

/** The text without such marks. Only for texts that cannot end with one. */
export const withoutMarksAfter = (text: string): string => text.replace(MARKS_AFTER, '');

/** What keyboards and pages have for a hyphen between groups: dashes, the minus, the long vowel mark, middle dots. */
const GROUP_SEPARATOR = /[\p{Dash_Punctuation}\u2212\u30fc\u00b7\u2022\u2027\u30fb]/gu;

/** Replaces whatever stands between groups of digits by a hyphen. */
export const asciiHyphens = (text: string): string => text.replace(GROUP_SEPARATOR, '-');

/** Replaces the decimal digits of every script by 0 to 9. */
export const asciiDigits = (text: string): string => text.replace(DIGIT, (digit) => String(valueOf(digit)));

/** Unicode encodes the digits of a script in order, in a run of code points that begins with 0 (UAX #44, Nd). */
function valueOf(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  if (point < FIRST_OTHER_DIGIT) return Number(digit);
  let zero = point;
  while (IS_DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  // Several runs can touch, as those of mathematical digits do.
  return (point - zero) % 10;
}

/** Separators in a code, for readability or added by pasting. */
const SEPARATORS = /[\s\p{Format}-]/gu;
const PUNCTUATION_AFTER = /\p{Other_Punctuation}+$/u;

/**
 * Normalizes a typed code: `123 456`, `ABCD-EFGH`, `１２３４５６。`. Neither separators, case, the script of digits nor a
 * mark after it distinguish codes.
 */
export const codeAsMade = (typed: string): string =>
  asciiDigits(
    asciiHyphens(typed.normalize('NFKC')).replace(SEPARATORS, '').replace(PUNCTUATION_AFTER, '').toLowerCase(),
  );
