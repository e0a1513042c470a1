import { isArgon2Hash, isForeignHash } from '../../platform/crypto';
import { isJsonObject, JsonObject, membersOf } from '../../platform/util';

/** An untrusted object of an export. */
export type Json = JsonObject;

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A non-empty text. Numbers are converted. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The items of a list as texts. Other items are dropped. */
export const asTexts = (value: unknown): string[] => asList(value).flatMap((item) => asText(item) ?? []);

export const isTrue = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && value.toLowerCase() === 'true');

/** The last moment, in seconds, that is not read as milliseconds: times before 1973 are of no user. */
const MAX_SECONDS = 100_000_000_000;

/** A time as text, in milliseconds or seconds since 1970, or as databases write it in JSON (`$date`). */
export function asMoment(value: unknown): Date | undefined {
  if (isJsonObject(value)) return asMoment(value['$date']);
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const count = typeof value === 'number' || /^\d{9,13}$/.test(value) ? Number(value) : undefined;
  const moment = new Date(count === undefined ? value : inMilliseconds(count));
  return Number.isNaN(moment.getTime()) || moment.getTime() > Date.now() || moment.getTime() <= 0 ? undefined : moment;
}

const inMilliseconds = (count: number): number => (count < MAX_SECONDS ? count * 1_000 : count);

/** A hash that names its algorithm and can be verified here. Some systems put `{bcrypt}` in front. */
export function asHash(value: string): string | undefined {
  const hash = value.replace(/^\{(?:bcrypt|crypt|argon2)\}/i, '');
  return isForeignHash(hash) || isArgon2Hash(hash) ? hash : undefined;
}

/** Parses JSON that is embedded as text. */
export function asParsed(value: unknown): Json {
  if (typeof value !== 'string') return membersOf(value);
  try {
    return membersOf(JSON.parse(value));
  } catch {
    return {};
  }
}

/** An id; undefined if there is none, or if JSON has rounded its number, which may be that of another user. */
export const asId = (value: unknown): string | undefined =>
  typeof value === 'number' && !Number.isSafeInteger(value) ? undefined : asText(value);

/** The id of a user at a provider; empty if there is none. */
export const asSubject = (value: unknown): string => asId(value) ?? '';

/** A secret in base32 as stored here: upper case, without spaces and padding. */
export const withoutPadding = (base32: string): string => base32.replace(/[\s=]/g, '').toUpperCase();
