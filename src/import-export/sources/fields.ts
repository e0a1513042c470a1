import { JsonObject, membersOf } from '../../platform/util';

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

export const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** A time in milliseconds or as text. */
export function asMoment(value: unknown): Date | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) || moment.getTime() > Date.now() || moment.getTime() <= 0 ? undefined : moment;
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

/** The id of a user at a provider; empty if there is none, or if JSON has rounded its number. */
export const asSubject = (value: unknown): string =>
  typeof value === 'number' && !Number.isSafeInteger(value) ? '' : (asText(value) ?? '');

/** A secret in base32 as stored here: upper case, without spaces and padding. */
export const withoutPadding = (base32: string): string => base32.replace(/[\s=]/g, '').toUpperCase();
