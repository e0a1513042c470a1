import type { Send } from './renewing-fetch';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  readonly isSecure: boolean;
  /** Milliseconds; infinite for one that ends with the process. */
  readonly end: number;
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

const isSafe = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || LOOPBACK.test(hostname);

/** RFC 6265 §5.1.4. */
const isUnder = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);

/** `Max-Age` counts before `Expires` (RFC 6265 §5.3). */
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
 * The cookies of one user, for programs whose `fetch` keeps none. A cookie goes back to the very host that set it, whatever
 * its `Domain`; a `Secure` one over https, or to this machine.
 */
export class CookieJar {
  private readonly cookies = new Map<string, Cookie>();

  /** Keeps what an answer from `url` sets, and drops what it ends. */
  keep(url: URL, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const cookie = readCookie(line, url);
      const key = [cookie.host, cookie.path, cookie.name].join(' ');
      if (cookie.end <= Date.now()) this.cookies.delete(key);
      else if (!cookie.isSecure || isSafe(url)) this.cookies.set(key, cookie);
    }
  }

  /** The `Cookie` header of a request to `url`; empty where there is none. */
  headerFor(url: URL): string {
    return [...this.cookies.values()]
      .filter(({ host, path }) => host === url.hostname && isUnder(url.pathname, path))
      .filter(({ isSecure, end }) => end > Date.now() && (!isSecure || isSafe(url)))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }
}

/** `fetch` with a jar, for Node.js: one for each user a program acts for, never one for several. */
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
