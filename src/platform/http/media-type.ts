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
