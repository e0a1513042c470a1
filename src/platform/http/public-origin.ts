import { ProxyTrust } from './proxy-trust';

type HeaderValue = string | readonly string[] | undefined;
type Scheme = 'http' | 'https';

export interface OriginSource {
  readonly peer: string | undefined;
  /** Whether the connection itself is TLS. */
  readonly encrypted: boolean;
  readonly hostHeader: string | undefined;
  readonly forwardedProto?: HeaderValue;
  readonly forwardedHost?: HeaderValue;
}

export interface OriginRules {
  readonly trust: ProxyTrust;
  /** `PUBLIC_URL`, a valid http or https URL. */
  readonly publicUrl?: string;
  /** `ALLOWED_HOSTS`: `host` (any port) or `host:port`, IPv6 in brackets and shortest form; empty allows any host. */
  readonly allowedHosts: readonly string[];
}

export interface PublicOrigin {
  readonly scheme: Scheme;
  /** Host in lower case with its port, without the default port of the scheme. */
  readonly host: string;
  readonly origin: string;
  /** Whether cookies must be Secure: the public URL is https, or the request came over https. */
  readonly secure: boolean;
}

interface Host {
  readonly name: string;
  readonly port: number | undefined;
}

const MAX_PORT = 65_535;
const DEFAULT_PORTS: Readonly<Record<Scheme, number>> = { http: 80, https: 443 };
// Explicit ASCII, checked before lower-casing: U+212A would become a harmless "k".
const HOST = /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::([1-9][0-9]{0,4}))?$/;
const LABEL = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

function hostName(text: string): string | undefined {
  const name = text.toLowerCase();
  const bracketed = name.startsWith('[');
  if (!bracketed && !name.split('.').every((label) => LABEL.test(label))) return undefined;
  const url = `http://${name}`;
  const canonical = URL.canParse(url) ? new URL(url).hostname : undefined;
  // The URL standard reads "0x7f.1" as 127.0.0.1: reject names that change when parsed. IPv6 has many valid spellings.
  return bracketed || canonical === name ? canonical : undefined;
}

/** A host with or without a port, and nothing else (RFC 9110 §7.2). */
function parseHost(text: string): Host | undefined {
  const match = HOST.exec(text);
  const name = match?.[1] === undefined ? undefined : hostName(match[1]);
  const port = match?.[2] === undefined ? undefined : Number(match[2]);
  if (name === undefined || (port !== undefined && port > MAX_PORT)) return undefined;
  return { name, port };
}

function lastEntry(header: HeaderValue): string | undefined {
  const joined = typeof header === 'object' ? header.join(',') : (header ?? '');
  return joined.trim() === '' ? undefined : joined.slice(joined.lastIndexOf(',') + 1).trim();
}

function schemeOf(source: OriginSource, trusted: boolean): Scheme {
  const forwarded = trusted ? lastEntry(source.forwardedProto)?.toLowerCase() : undefined;
  if (forwarded === 'http' || forwarded === 'https') return forwarded;
  return source.encrypted ? 'https' : 'http';
}

function hostOf(source: OriginSource, trusted: boolean): Host | undefined {
  const forwarded = trusted ? lastEntry(source.forwardedHost) : undefined;
  return parseHost(forwarded ?? source.hostHeader ?? '');
}

function isAllowed(host: Host, scheme: Scheme, allowed: readonly string[]): boolean {
  const withPort = `${host.name}:${host.port ?? DEFAULT_PORTS[scheme]}`;
  return allowed.some((entry) => [host.name, withPort].includes(entry.toLowerCase()));
}

function originOf(scheme: Scheme, host: Host, secure: boolean): PublicOrigin {
  const port = host.port === undefined || host.port === DEFAULT_PORTS[scheme] ? '' : `:${host.port}`;
  const authority = `${host.name}${port}`;
  return { scheme, host: authority, origin: `${scheme}://${authority}`, secure };
}

/**
 * Returns the origin under which the client sees this service. Forwarded scheme and host count only from a trusted
 * peer; `PUBLIC_URL` overrides both. Returns undefined if the host is malformed, or neither allowed nor that of
 * `PUBLIC_URL`.
 */
export function publicOrigin(source: OriginSource, rules: OriginRules): PublicOrigin | undefined {
  const trusted = rules.trust.trusts(source.peer);
  const scheme = schemeOf(source, trusted);
  const host = hostOf(source, trusted);
  const fixed = rules.publicUrl === undefined ? undefined : new URL(rules.publicUrl);
  if (!host) return undefined;
  if (rules.allowedHosts.length > 0) {
    const allowed = fixed ? [...rules.allowedHosts, fixed.host] : rules.allowedHosts;
    if (!isAllowed(host, scheme, allowed)) return undefined;
  }
  if (!fixed) return originOf(scheme, host, scheme === 'https');
  const fixedScheme = fixed.protocol === 'https:' ? 'https' : 'http';
  return {
    scheme: fixedScheme,
    host: fixed.host,
    origin: fixed.origin,
    secure: fixedScheme === 'https' || scheme === 'https',
  };
}
