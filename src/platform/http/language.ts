export interface LanguagePreferences {
  /** `?lang=`. */
  readonly query?: string | null;
  readonly userLocale?: string | null;
  readonly cookie?: string | null;
  readonly acceptLanguage?: string | null;
  /** Setting `app.default_locale`. */
  readonly fallback: string;
}

interface Range {
  readonly tag: string;
  readonly quality: number;
}

interface Candidate {
  readonly language: string;
  readonly quality: number;
  readonly position: number;
}

const MAX_RANGES = 32;
const MAX_TAG_LENGTH = 35;
const ANY = '*';
const TAG = /^[A-Za-z0-9_-]{1,35}$/;
const QUALITY = /^q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/i;

/** RFC 4647 §3.4, lookup: the tag itself, then the tag without its last subtag, and so on: `zh-Hans-CN` → `zh`. */
export function findLanguage(tag: string | null | undefined, supported: readonly string[]): string | undefined {
  if (tag == null || tag.length > MAX_TAG_LENGTH || !TAG.test(tag)) return undefined;
  // POSIX and Java write "zh_CN".
  let rest = tag.replaceAll('_', '-').toLowerCase();
  while (rest !== '') {
    const wanted = rest;
    const match = supported.find((language) => language.toLowerCase() === wanted);
    if (match !== undefined) return match;
    rest = rest.slice(0, Math.max(0, rest.lastIndexOf('-')));
  }
  return undefined;
}

function parseRange(entry: string): Range | undefined {
  const [tag = '', parameter, ...more] = entry.split(';', 3).map((part) => part.trim());
  if (tag === '' || more.length > 0) return undefined;
  if (parameter === undefined) return { tag, quality: 1 };
  const quality = QUALITY.exec(parameter)?.[1];
  return quality === undefined ? undefined : { tag, quality: Number(quality) };
}

/** RFC 9110 §12.5.4. Ignores malformed entries and those after the 32nd. */
function parseRanges(header: string): Range[] {
  const ranges = header.split(',', MAX_RANGES).map(parseRange);
  return ranges.filter((range) => range !== undefined);
}

function rate(language: string, ranges: readonly Range[], supported: readonly string[]): Candidate {
  const named = ranges.filter(({ tag }) => findLanguage(tag, supported) === language);
  const matching = named.length > 0 ? named : ranges.filter(({ tag }) => tag === ANY);
  const quality = Math.max(0, ...matching.map((range) => range.quality));
  const position = ranges.findIndex((range) => matching.includes(range) && range.quality === quality);
  return { language, quality, position };
}

function fromHeader(header: string | null | undefined, supported: readonly string[]): string | undefined {
  if (header == null || header === '') return undefined;
  const ranges = parseRanges(header);
  const [best] = supported
    .map((language) => rate(language, ranges, supported))
    .filter((candidate) => candidate.quality > 0)
    .sort((one, other) => other.quality - one.quality || one.position - other.position);
  return best?.language;
}

/**
 * Returns the language of the response, always one of `supported`. The first supported value wins: `?lang=`, the user's
 * locale, the cookie, `Accept-Language`, the fallback.
 */
export function negotiateLanguage(preferences: LanguagePreferences, supported: readonly string[]): string {
  const fallback = findLanguage(preferences.fallback, supported) ?? supported[0] ?? preferences.fallback;
  // The stable sort prefers the fallback if the header is indifferent (`*`).
  const preferred = [fallback, ...supported.filter((language) => language !== fallback)];
  return (
    findLanguage(preferences.query, supported) ??
    findLanguage(preferences.userLocale, supported) ??
    findLanguage(preferences.cookie, supported) ??
    fromHeader(preferences.acceptLanguage, preferred) ??
    fallback
  );
}
