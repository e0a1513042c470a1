// Strict on purpose: lenient content types have bypassed schema validation while the body was still parsed
// (CVE-2025-32442, CVE-2026-25223). Only plain spaces separate, because those attacks used tabs.
const JSON_TYPE = /^application\/json(?: *; *charset=(?:utf-8|"utf-8"))?$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded(?: *; *charset=(?:utf-8|"utf-8"))?$/i;

/** Whether a `Content-Type` is `application/json`, alone or with `charset=utf-8` (RFC 9110 §8.3). */
export function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && JSON_TYPE.test(contentType);
}

/**
 * Whether a body has no content coding (RFC 9110 §8.4). We decompress none, and must not read compressed bytes as text.
 */
export function isUncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || /^(?:identity)?$/i.test(contentEncoding);
}

/** Whether a `Content-Type` is `application/x-www-form-urlencoded`, alone or with `charset=utf-8`. */
export function isForm(contentType: string | undefined): boolean {
  return contentType !== undefined && FORM_TYPE.test(contentType);
}
