import { IPv4, IPv6, isValidCIDR, parse } from 'ipaddr.js';
import { redisNodes } from './redis-nodes';
import { Check } from './variable-reader';

const rangeNames = new Set(['loopback', 'linklocal', 'uniquelocal']);
const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i;

/** Stricter than ipaddr.js, which also accepts `1` and `0x7f.1`. */
function isAddress(text: string): boolean {
  return IPv4.isValidFourPartDecimal(text) || (text.includes(':') && IPv6.isValid(text));
}

export const addressRange: Check = (value) => {
  if (rangeNames.has(value) || isAddress(value)) return undefined;
  const [address = ''] = value.split('/');
  return isAddress(address) && isValidCIDR(value) ? undefined : 'an entry is no address, range or known name';
};

export const listenHost: Check = (value) =>
  isAddress(value) || hostName.test(value) ? undefined : 'neither an address nor a host name';

export const hostHeader: Check = (value) => {
  const [, name = '', port] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(value) ?? [];
  const isHost = name.startsWith('[') ? isAddress(name.slice(1, -1)) : hostName.test(name);
  return isHost && Number(port ?? 0) <= 65_535 ? undefined : 'an entry is no host or host:port';
};

export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  return isAddress(host) && parse(host).range() === 'loopback';
}

function parsed(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}

function serverUrl(...protocols: string[]): Check {
  return (value) => {
    const url = parsed(value);
    if (!url) return 'not a URL (write special characters of a password as %XX)';
    if (!protocols.includes(url.protocol)) return 'a URL of another kind';
    return url.hostname === '' && !url.searchParams.has('host') ? 'a URL without a host' : undefined;
  };
}

const postgresServer = serverUrl('postgres:', 'postgresql:');

/** Without a name the driver would take the user's, such as the server's maintenance database `postgres`. */
export const postgresUrl: Check = (value) => {
  const problem = postgresServer(value);
  if (problem !== undefined) return problem;
  return (parsed(value)?.pathname ?? '').length > 1 ? undefined : 'it names no database';
};
const redisNode: Check = (value) =>
  parsed(value)?.hostname.includes(',') ? 'a comma in the host' : serverUrl('redis:', 'rediss:')(value);
export const redisUrl: Check = (value) =>
  redisNodes(value)
    .map(redisNode)
    .find((problem) => problem !== undefined);

/** The URL of a master that Redis Sentinels watch: its host is a name, whose address only they know. */
export const redisWatchedMaster: Check = (value) => {
  const problem = redisNode(value);
  if (problem !== undefined) return problem;
  return parsed(value)?.port === '' ? undefined : 'a port, which the Sentinels know, is in it';
};

export const webOrigin: Check = (value) => {
  const url = parsed(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'not an http(s) URL';
  if (url.username !== '' || url.password !== '') return 'a user or password is in it';
  if (/[?#]/.test(value)) return 'a query or fragment is in it';
  return url.pathname === '/' ? undefined : 'a path is in it';
};

export const username: Check = (value) => {
  if (!/^[A-Za-z0-9_]{3,50}$/.test(value)) return 'not of that form';
  return /^\d+$/.test(value) ? 'digits only' : undefined;
};

const keyForm = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9_-]{43})$/;

function keyProblem(entry: string, seen: Set<string>, rejectWeak: boolean): string | undefined {
  const [, kid = '', secret = ''] = keyForm.exec(entry) ?? [];
  const bytes = Buffer.from(secret, 'base64url');
  // The last character has two spare bits: reject a second spelling of the same key.
  if (bytes.length !== 32 || bytes.toString('base64url') !== secret) return 'an entry is not of that form';
  if (seen.has(kid)) return 'a kid is used twice';
  if (rejectWeak && new Set(bytes).size < 8) return 'a key is not random';
  seen.add(kid);
  return undefined;
}

/** Checks the form of `ENCRYPTION_KEYS`, and optionally rejects keys with few distinct bytes. */
export function encryptionKeys(rejectWeak: boolean): Check {
  return (value) => {
    const seen = new Set<string>();
    const problems = value.split(',').map((entry) => keyProblem(entry, seen, rejectWeak));
    return problems.find((problem) => problem !== undefined);
  };
}
