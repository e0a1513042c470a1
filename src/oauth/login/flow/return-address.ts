import { isSameOrigin } from '../../../platform/http';

export interface ReturnRules {
  readonly ownOrigin: string;
  /** Setting `security.allowed_origins`. */
  readonly allowedOrigins: readonly string[];
}

const MAX_LENGTH = 2_000;
/** ASCII without spaces. Browsers read a backslash as a slash (WHATWG URL §4.4). */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/;
/** Includes credentials, so that `https://allowed@evil` does not match an allowed origin. */
const ORIGIN = /^https?:\/\/[^/?#]+/i;
/** Encoded slashes and backslashes, which a server behind this one could decode into the start of a host. */
const ENCODED_SLASH = /^\/(?:%2f|%5c|%255c|%252f)/i;

/**
 * Validates where a browser may be redirected: a path of this service, or a URL of its origin or an allowed origin.
 * Returns the value for `Location`. Undefined for anything else.
 */
export function returnAddress(text: string, rules: ReturnRules): string | undefined {
  if (text.length > MAX_LENGTH || !PLAIN.test(text)) return undefined;
  const address = text.startsWith('/') ? ownPath(text) : knownAddress(text, rules);
  // Encoding for `Location` can lengthen the URL.
  return address !== undefined && address.length <= MAX_LENGTH ? address : undefined;
}

function knownAddress(text: string, { ownOrigin, allowedOrigins }: ReturnRules): string | undefined {
  const origin = ORIGIN.exec(text)?.[0];
  const isAllowed = origin !== undefined && [ownOrigin, ...allowedOrigins].some((known) => isSameOrigin(known, origin));
  return isAllowed && URL.canParse(text) ? new URL(text).href : undefined;
}

function ownPath(text: string): string | undefined {
  if (text.startsWith('//') || ENCODED_SLASH.test(text)) return undefined;
  const base = 'https://own.invalid';
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  // Removing dot segments can leave a path that starts like a host.
  if (url?.origin !== base || url.pathname.startsWith('//') || ENCODED_SLASH.test(url.pathname)) return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
}
