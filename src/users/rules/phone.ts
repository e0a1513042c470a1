// `max` is the one set of metadata that knows every range and type: `min` judges by length and takes numbers nobody has,
// `mobile` refuses landlines. Its 150 KB do not matter on a server.
import { isSupportedCountry, parsePhoneNumberFromString, type PhoneNumberType } from 'libphonenumber-js/max';

/** What people write in numbers; also keeps extensions, letters and `tel:` parameters from the parser. */
const WRITTEN = /^\+?[0-9 ().-]{3,40}$/;

/** Nobody's own number, and a text to one can cost its sender dearly. */
const REFUSED_TYPES: ReadonlySet<PhoneNumberType | undefined> = new Set<PhoneNumberType>([
  'PREMIUM_RATE',
  'SHARED_COST',
  'TOLL_FREE',
  'UAN',
  'VOICEMAIL',
  'PAGER',
]);

const KEPT_AT_END = 4;
const HIDDEN = 4;
const MASK = '****';

/**
 * The number in E.164, or undefined where it is none. A national number is read in `defaultRegion` (ISO 3166-1 alpha-2,
 * such as `CN`); with an unknown region only international ones are.
 */
export function normalizePhone(value: unknown, defaultRegion: string): string | undefined {
  if (typeof value !== 'string' || !WRITTEN.test(value)) return undefined;
  const region = defaultRegion.toUpperCase();
  const defaultCountry = isSupportedCountry(region) ? region : undefined;
  const number = parsePhoneNumberFromString(value, { defaultCountry, extract: false });
  if (!number?.isValid() || REFUSED_TYPES.has(number.getType())) return undefined;
  return number.number;
}

/** `+86138****1234`, for logs and deliveries: four digits hidden before the last four. Not E.164: `****`. */
export function maskPhone(phone: string): string {
  if (!/^\+\d{10,15}$/.test(phone)) return MASK;
  return `${phone.slice(0, -(HIDDEN + KEPT_AT_END))}${MASK}${phone.slice(-KEPT_AT_END)}`;
}
