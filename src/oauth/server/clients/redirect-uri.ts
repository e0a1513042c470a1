const MAX_LENGTH = 2_000;
/** The characters of a URI (RFC 3986 §2) without fragments and wildcards. */
const WRITTEN = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** A reversed domain name, so it contains a dot (RFC 8252 §7.1). */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

export type RedirectUriKind = 'https' | 'loopback' | 'private_use';

const SCHEME_AND_HOST = /^[^:/?]+:(?:\/\/[^/?]*)?/;

/**
 * Only the case of scheme and host is free, in which URIs do not differ (RFC 3986 §6.2.2.1): no dot segments or default
 * ports, because URIs are compared exactly.
 */
function isCanonical(text: string, { href }: URL): boolean {
  const [given, parsed] = [text, href].map((uri) => uri.replace(SCHEME_AND_HOST, (start) => start.toLowerCase()));
  return parsed === given || parsed === `${given}/`;
}

/**
 * The kind of a redirect URI: https, http to a loopback address, or a private-use scheme. Undefined for anything else
 * (RFC 9700 §2.1, RFC 8252 §7).
 */
export function redirectUriKind(text: string): RedirectUriKind | undefined {
  if (text.length > MAX_LENGTH || !WRITTEN.test(text) || !URL.canParse(text)) return undefined;
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

/** The origin without its port if it is http on a loopback address, where native applications choose the port. */
export function loopbackOriginOf(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && LOOPBACK.has(hostname) ? `http://${hostname}` : undefined;
}
