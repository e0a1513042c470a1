/**
 * Parameters of a media type (RFC 9110 §5.6.6), with plain spaces only: attacks on lenient readers used tabs
 * (CVE-2025-32442, CVE-2026-25223).
 */
const PARAMETERS = /^(?: *;(?: *[!#$%&'*+.^_`|~\w-]+=(?:[!#$%&'*+.^_`|~\w-]+|"(?:[ !#-[\]-~]|\\[ -~])*"))?)*$/;
const CHARSETS = /; *charset=("?)([^;"]*)\1/gi;
/** Encodings whose bytes are read correctly as UTF-8. */
const READ_AS_UTF_8 = /^(?:utf-?8|us-ascii)$/i;

/** Whether the header names the type, with any parameters, except the charset of an encoding that would be misread. */
function isType(type: string, contentType: string | undefined): boolean {
  if (contentType?.slice(0, type.length).toLowerCase() !== type) return false;
  const parameters = contentType.slice(type.length);
  if (!PARAMETERS.test(parameters)) return false;
  return Array.from(parameters.matchAll(CHARSETS)).every(([, , charset = '']) => READ_AS_UTF_8.test(charset));
}

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Whether a `Content-Type` is `application/json` (RFC 9110 §8.3) in UTF-8. */
export const isJson = (contentType: string | undefined): boolean => isType(JSON_TYPE, contentType);

/** Whether a `Content-Type` is `application/x-www-form-urlencoded` in UTF-8. */
export const isForm = (contentType: string | undefined): boolean => isType(FORM_TYPE, contentType);

/**
 * Whether a body has no content coding (RFC 9110 §8.4). We decompress none, and must not read compressed bytes as text.
 */
export function isUncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || /^(?:identity)?$/i.test(contentEncoding);
}

const HTML_TYPE = 'text/html';
/** `application/problem+json` and others (RFC 6839 §3.1). */
const JSON_SUFFIX = /^application\/[\w.-]+\+json$/;

/**
 * Whether a client's `Accept` prefers HTML to JSON (RFC 9110 §12.5.1). Of types with the same weight, the one that the
 * header names is preferred, and of two that it names the first.
 */
export const prefersHtml = (accept: string | undefined): boolean => prefers(accept, HTML_TYPE, JSON_TYPE);

/** Whether it prefers JSON to HTML. Neither is preferred if it names neither. */
export const prefersJson = (accept: string | undefined): boolean => prefers(accept, JSON_TYPE, HTML_TYPE);

function prefers(accept = '', wanted: string, other: string): boolean {
  const ranges = accept.split(',').map(mediaRange);
  const [one, two] = [rangeFor(wanted, ranges), rangeFor(other, ranges)];
  if (one === undefined || one.weight === 0) return false;
  if (two === undefined || one.weight !== two.weight) return one.weight > (two?.weight ?? 0);
  const isAlike = one.range.includes('*') === two.range.includes('*');
  return isAlike ? one.place < two.place : two.range.includes('*');
}

interface MediaRange {
  readonly range: string;
  readonly weight: number;
  readonly place: number;
}

function mediaRange(text: string, place: number): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const range = type.replace(JSON_SUFFIX, JSON_TYPE);
  const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
  return { range, weight: weight >= 0 && weight <= 1 ? weight : 0, place };
}

/** The most specific range that the type is in, and of those the one with the greatest weight. */
function rangeFor(type: string, ranges: readonly MediaRange[]): MediaRange | undefined {
  const named = [type, type.replace(/\/.*/, '/*'), '*/*'].map((wanted) =>
    ranges.filter(({ range }) => range === wanted),
  );
  return named.find((each) => each.length > 0)?.sort((one, other) => other.weight - one.weight)[0];
}
