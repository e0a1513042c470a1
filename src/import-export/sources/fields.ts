import { JsonObject, membersOf } from '../../platform/text';

/** An untrusted part of an export. */
export type Json = JsonObject;

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text that says something; numbers as they are written. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** As `asText`, of each; what is no text is left out. */
export const asTexts = (value: unknown): string[] => asList(value).flatMap((item) => asText(item) ?? []);

export const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** Milliseconds, or a text that names a moment. */
export function asMoment(value: unknown): Date | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) || moment.getTime() > Date.now() || moment.getTime() <= 0 ? undefined : moment;
}

/** What is JSON within JSON. */
export function asParsed(value: unknown): Json {
  if (typeof value !== 'string') return membersOf(value);
  try {
    return membersOf(JSON.parse(value));
  } catch {
    return {};
  }
}
