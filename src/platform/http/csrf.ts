import { isSafeMethod } from '../context';

export interface CsrfSource {
  readonly method: string;
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
}

export interface CsrfRules {
  /** The service's own origin; undefined when the request's host is refused. */
  readonly ownOrigin: string | undefined;
  /** Setting `security.allowed_origins`. */
  readonly allowedOrigins: readonly string[];
}

export type CsrfFailure = 'origin' | 'origin_null' | 'fetch_site';
export type CsrfResult = 'ok' | { readonly failed: CsrfFailure };

const OWN_FETCH_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

// Only ASCII folds in a scheme or host; toLowerCase() alone would turn U+212A into "k".
const fold = (origin: string): string => origin.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Whether two origins are one: scheme and host in any case, everything else to the letter (RFC 6454 §5). */
export function isSameOrigin(one: string, other: string): boolean {
  return one !== '' && fold(one) === fold(other);
}

function checkOrigin(origin: string, rules: CsrfRules): CsrfResult {
  // First of all, so that not even a listed "null" lets a sandboxed frame in.
  if (fold(origin) === 'null') return { failed: 'origin_null' };
  const own = rules.ownOrigin === undefined ? [] : [rules.ownOrigin];
  const known = [...own, ...rules.allowedOrigins].some((allowed) => isSameOrigin(origin, allowed));
  return known ? 'ok' : { failed: 'origin' };
}

/**
 * Whether a request may change state: by `Origin` (RFC 6454), without it by `Sec-Fetch-Site`
 * (W3C Fetch Metadata); without both it is no browser's.
 */
export function csrfCheck(source: CsrfSource, rules: CsrfRules): CsrfResult {
  if (isSafeMethod(source.method)) return 'ok';
  if (source.origin !== undefined) return checkOrigin(source.origin, rules);
  if (source.secFetchSite === undefined || OWN_FETCH_SITES.has(source.secFetchSite)) return 'ok';
  return { failed: 'fetch_site' };
}
