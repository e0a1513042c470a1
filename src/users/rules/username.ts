const USERNAME = /^[A-Za-z0-9_]{3,50}$/;
const SHORTEST = 3;
const LONGEST = 50;
const FALLBACK = 'user';

/** Bounds the work on hostile texts; a username keeps at most 50 characters of them anyway. */
const MAX_UNITS_READ = 200;

/** Whether the value is 3–50 of `[A-Za-z0-9_]` and nothing else. */
export function isUsername(value: unknown): value is string {
  return typeof value === 'string' && USERNAME.test(value);
}

/** The form in which usernames are unique and looked up: lower case. */
export function usernameKey(name: string): string {
  return name.toLowerCase();
}

/**
 * A valid username from any text, such as the name a third party gives: accents dropped, other characters turned to `_`,
 * cut to leave room for the suffix. A text with nothing usable gives `user`. Whether it is taken is the caller's to see,
 * who then asks again with another suffix (up to 20 characters of `[A-Za-z0-9_]` of it count).
 */
export function usernameFrom(text: string, suffix = ''): string {
  const ending = suffix.replace(/[^A-Za-z0-9_]/g, '').slice(0, 20);
  const base = usable(text).slice(0, LONGEST - ending.length);
  if (!base) return `${FALLBACK}${ending}`;
  const name = `${base}${ending}`;
  return name.length < SHORTEST ? `${FALLBACK}_${name}` : name;
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
