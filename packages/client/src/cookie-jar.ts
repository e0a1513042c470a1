import type { Send } from './renewing-fetch';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  readonly isSecure: boolean;
  /** Milliseconds since the epoch. Infinity for a session cookie. */
  readonly end: number;
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

const isSafe = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || LOOPBACK.test(hostname);

/** Path match (RFC 6265 §5.1.4). */
const isUnder = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);

/** `Max-Age` overrides `Expires` (RFC 6265 §5.3). */
function endOf(attributes: ReadonlyMap<string, string>): number {
  const age = attributes.get('max-age');
  if (age !== undefined) return Date.now() + Number(age) * 1_000;
  const expires = attributes.get('expires');
  return expires === undefined ? Infinity : Date.parse(expires);
}

function pair(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function readCookie(line: string, url: URL): Cookie {
  const [first = '', ...rest] = line.split(';');
  const [name, value] = pair(first);
  const attributes = new Map(rest.map(pair).map(([key, text]) => [key.toLowerCase(), text]));
  return {
    name,
    value,
    host: url.hostname,
    path: attributes.get('path') ?? '/',
    isSecure: attributes.has('secure'),
    end: endOf(attributes),
  };
}

/**
 * Cookies of one user, for runtimes whose `fetch` stores none. A cookie goes back only to the host that set it,
 * regardless of its `Domain`. `Secure` cookies travel over https or to loopback only.
 */
export class CookieJar {
  private readonly cookies = new Map<string, Cookie>();

  /** Stores the cookies of a response from `url` and removes expired ones. */
  keep(url: URL, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const cookie = readCookie(line, url);
      const key = [cookie.host, cookie.path, cookie.name].join(' ');
      if (cookie.end <= Date.now()) this.cookies.delete(key);
      else if (!cookie.isSecure || isSafe(url)) this.cookies.set(key, cookie);
    }
  }

  /** Returns the `Cookie` header of a request to `url`, or an empty string. */
  headerFor(url: URL): string {
    return [...this.cookies.values()]
      .filter(({ host, path }) => host === url.hostname && isUnder(url.pathname, path))
      .filter(({ isSecure, end }) => end > Date.now() && (!isSecure || isSafe(url)))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }
}

/** Returns a `fetch` that stores cookies, for Node.js. Use one jar per user, never one for several users. */
export function fetchWithCookies(jar = new CookieJar(), send: Send = (url, init) => fetch(url, init)): Send {
  return async (url, init) => {
    const headers = new Headers(init.headers);
    const cookie = jar.headerFor(url);
    if (cookie !== '') headers.set('cookie', cookie);
    const answer = await send(url, { ...init, headers });
    jar.keep(url, answer.headers);
    return answer;
  };
}
