import { isSafeMethod } from '../context';

export interface CsrfSource {
  readonly method: string;
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
}

export interface CsrfRules {
  /** The service's own origin; undefined if the host of the request was rejected. */
  readonly ownOrigin: string | undefined;
  /** Setting `security.allowed_origins`. */
  readonly allowedOrigins: readonly string[];
}

export type CsrfFailure = 'origin' | 'origin_null' | 'fetch_site';
export type CsrfResult = 'ok' | { readonly failed: CsrfFailure };

const OWN_FETCH_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

// Folds only ASCII letters: toLowerCase() alone would turn U+212A into "k".
const fold = (origin: string): string => origin.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Compares origins: scheme and host ignore case, the rest is exact (RFC 6454 §5). */
export function isSameOrigin(one: string, other: string): boolean {
  return one !== '' && fold(one) === fold(other);
}

function checkOrigin(origin: string, rules: CsrfRules): CsrfResult {
  // Checked first, so that even a listed "null" does not admit a sandboxed frame.
  if (fold(origin) === 'null') return { failed: 'origin_null' };
  const own = rules.ownOrigin === undefined ? [] : [rules.ownOrigin];
  const known = [...own, ...rules.allowedOrigins].some((allowed) => isSameOrigin(origin, allowed));
  return known ? 'ok' : { failed: 'origin' };
}

/**
 * Decides whether a request may change state: by `Origin` (RFC 6454), else by `Sec-Fetch-Site` (W3C Fetch Metadata). A
 * request without both does not come from a browser.
 */
export function csrfCheck(source: CsrfSource, rules: CsrfRules): CsrfResult {
  if (isSafeMethod(source.method)) return 'ok';
  if (source.origin !== undefined) return checkOrigin(source.origin, rules);
  if (source.secFetchSite === undefined || OWN_FETCH_SITES.has(source.secFetchSite)) return 'ok';
  return { failed: 'fetch_site' };
}
