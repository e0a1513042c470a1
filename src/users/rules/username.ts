import { isStorable, typedText } from '../../platform/util';

const USERNAME = /^[A-Za-z0-9_]{3,50}$/;
const SHORTEST = 3;
const MAX_LENGTH = 50;
const FALLBACK = 'user';
/** A login reads it as a phone number, too: it would hide the account of that number's owner. */
const READS_AS_PHONE = /^\d{7,}$/;

/** Bounds the work on hostile input. A username keeps at most 50 characters anyway. */
const MAX_UNITS_READ = 200;

/** Whether the value consists of 3 to 50 of `[A-Za-z0-9_]`. */
export function isUsername(value: unknown): value is string {
  return typeof value === 'string' && USERNAME.test(value);
}

/** The rule that a new username breaks. Accounts from before may have names of digits. */
export function checkNewUsername(value: string): 'username' | 'username_number' | undefined {
  if (!isUsername(value)) return 'username';
  return READS_AS_PHONE.test(value) ? 'username_number' : undefined;
}

/** The form for uniqueness and lookup: lower case. */
export function usernameKey(name: string): string {
  return name.toLowerCase();
}

/** The longest identifier that a login reads. */
const MAX_FORMER_USERNAME = 254;

/**
 * The form of a name in another system for uniqueness and lookup: as `typedText` reads it, in lower case. Undefined for a
 * name that nobody could type here.
 */
export function formerUsernameKey(name: string): string | undefined {
  const key = typedText(name).toLowerCase();
  const isTypable = key !== '' && isStorable(key) && isStorable(name);
  return isTypable && Math.max(key.length, name.length) <= MAX_FORMER_USERNAME ? key : undefined;
}

/**
 * Derives a valid username from any text, such as the name from an identity provider: drops accents, replaces other
 * characters with `_` and cuts it to leave room for the suffix. Returns `user` for a text with no usable character. The
 * caller checks whether the name is taken and retries with another suffix, of which up to 20 characters of
 * `[A-Za-z0-9_]` count.
 */
export function usernameFrom(text: string, suffix = ''): string {
  const ending = suffix.replace(/[^A-Za-z0-9_]/g, '').slice(0, 20);
  const base = usable(text).slice(0, MAX_LENGTH - ending.length);
  if (!base) return `${FALLBACK}${ending}`;
  const name = `${base}${ending}`;
  if (name.length >= SHORTEST && !READS_AS_PHONE.test(name)) return name;
  return `${FALLBACK}_${name.slice(-(MAX_LENGTH - FALLBACK.length - 1))}`;
}

function usable(text: string): string {
  return text
    .slice(0, MAX_UNITS_READ)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .join('_');
}
