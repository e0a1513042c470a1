import { isSameOrigin } from '../../../platform/http';

export interface ReturnRules {
  readonly ownOrigin: string;
  /** Setting `security.allowed_origins`. */
  readonly allowedOrigins: readonly string[];
}

const LONGEST = 2_000;
/** An address is ASCII without spaces; a backslash is a slash to browsers (WHATWG URL §4.4). */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/;
/** With any credentials, so that `https://allowed@evil` is no allowed origin. */
const ORIGIN = /^https?:\/\/[^/?#]+/i;
/** Slashes and backslashes that a careless reader behind us would decode into the beginning of a host. */
const ENCODED_SLASH = /^\/(?:%2f|%5c|%255c|%252f)/i;

/**
 * Where a browser may be sent when all is done: an own path, or an address of our own or an allowed origin, as it goes
 * into `Location`; undefined for anything else.
 */
export function returnAddress(text: string, rules: ReturnRules): string | undefined {
  if (text.length > LONGEST || !PLAIN.test(text)) return undefined;
  const address = text.startsWith('/') ? ownPath(text) : knownAddress(text, rules);
  // Some characters grow on the way into `Location`.
  return address !== undefined && address.length <= LONGEST ? address : undefined;
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
  // Dot segments may leave a path that begins like a host.
  if (url?.origin !== base || url.pathname.startsWith('//') || ENCODED_SLASH.test(url.pathname)) return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
}
