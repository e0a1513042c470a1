// Only the `max` metadata knows every range and type: `min` checks the length only and accepts unassigned numbers, and
// `mobile` rejects landlines. Its 150 KB do not matter on a server.
import { isSupportedCountry, parsePhoneNumberFromString, type PhoneNumberType } from 'libphonenumber-js/max';
import { asciiDigits, asciiHyphens, typedText, withoutMarksAfter } from '../../platform/util';

/** The usual ways to write numbers. Keeps extensions, letters and parameters of `tel:` away from the parser. */
const WRITTEN = /^\+?[0-9 ().-]{3,40}$/;

/** Types that are no subscriber's number and can be expensive to send to. */
const REJECTED_TYPES: ReadonlySet<PhoneNumberType | undefined> = new Set<PhoneNumberType>([
  'PREMIUM_RATE',
  'SHARED_COST',
  'TOLL_FREE',
  'UAN',
  'VOICEMAIL',
  'PAGER',
]);

/** Bounds the work on hostile input. */
const MAX_READ = 100;
const SCHEME = /^(?:tel|sms|callto):/i;
/** `(+86)` before the number, which the parser does not know. */
const COUNTRY_IN_BRACKETS = /^\((\+[0-9]+)\)/;
const TO_SPACE = /[/\t]/g;

const KEPT_AT_END = 4;
const HIDDEN = 4;
const MASK = '****';

/**
 * Returns the number in E.164, or undefined when it is invalid. National numbers are read in `defaultRegion` (ISO
 * 3166-1 alpha-2, such as `CN`). With an unknown region only international numbers are accepted.
 */
export function normalizePhone(value: unknown, defaultRegion: string): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_READ) return undefined;
  const written = plainForm(value);
  if (!WRITTEN.test(written)) return undefined;
  const region = defaultRegion.toUpperCase();
  const defaultCountry = isSupportedCountry(region) ? region : undefined;
  const number = parsePhoneNumberFromString(written, { defaultCountry, extract: false });
  if (!number?.isValid() || REJECTED_TYPES.has(number.getType())) return undefined;
  return number.number;
}

/** As people copy numbers from contacts, tables and pages: invisible characters, `tel:`, dashes, slashes, other digits. */
const plainForm = (text: string): string =>
  asciiHyphens(asciiDigits(withoutMarksAfter(typedText(text))))
    .replace(SCHEME, '')
    .replace(TO_SPACE, ' ')
    .replace(COUNTRY_IN_BRACKETS, '$1 ')
    .trim();

/** Masks an E.164 number as `+86138****1234` for logs and deliveries. Returns `****` for other input. */
export function maskPhone(phone: string): string {
  if (!/^\+\d{10,15}$/.test(phone)) return MASK;
  return `${phone.slice(0, -(HIDDEN + KEPT_AT_END))}${MASK}${phone.slice(-KEPT_AT_END)}`;
}
