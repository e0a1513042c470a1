const LONGEST = 2_000;
/** The characters of a URI (RFC 3986 §2) without fragments and wildcards. */
const WRITTEN = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** A reversed domain name, so it contains a dot (RFC 8252 §7.1). */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

export type RedirectUriKind = 'https' | 'loopback' | 'private_use';

/**
 * Each URI has only one accepted spelling, because URIs are compared exactly: no dot segments, capitals or default
 * ports.
 */
const isCanonical = (text: string, { href }: URL): boolean => href === text || href === `${text}/`;

/**
 * The kind of a redirect URI: https, http to a loopback address, or a private-use scheme. Undefined for anything else
 * (RFC 9700 §2.1, RFC 8252 §7).
 */
export function redirectUriKind(text: string): RedirectUriKind | undefined {
  if (text.length > LONGEST || !WRITTEN.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = isCanonical(text, url) && url.username === '' && url.password === '';
  return isPlain ? kindOf(url) : undefined;
}

function kindOf({ protocol, hostname }: URL): RedirectUriKind | undefined {
  if (protocol === 'https:') return 'https';
  if (protocol === 'http:') return LOOPBACK.has(hostname) ? 'loopback' : undefined;
  return PRIVATE_USE.test(protocol) ? 'private_use' : undefined;
}

/** The web origins of the URIs. A private-use scheme has none. */
export function originsOf(uris: readonly string[]): string[] {
  const web = uris.filter((uri) => redirectUriKind(uri) !== 'private_use');
  return [...new Set(web.map((uri) => new URL(uri).origin))];
}
