import { isIP } from 'node:net';
import { LOOPBACK } from '../../platform/http';
import { normalizeEmail } from '../../users';

/** The sender of an e-mail, with display name. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const IDENTIFIER = /^[A-Za-z0-9_-]+$/;
/** No quotes or brackets, which could end a name early, and no control characters. */
const NAMED = /^(?:"([^"\\<>\p{Control}]*)"|([^"\\<>,;:\p{Control}]*?)) *<([^<>]+)>$/u;

export const hostViolation = (value: string): string | undefined =>
  HOST.test(value) || isIP(value) !== 0 ? undefined : 'host_name';

export const identifierViolation = (value: string): string | undefined =>
  IDENTIFIER.test(value) ? undefined : 'identifier';

/** Parses `ann@example.com` or `Example <ann@example.com>`. Undefined if it is neither. */
export function readSender(value: string): Sender | undefined {
  const [, quoted, plain = '', bracketed] = NAMED.exec(value) ?? [];
  const address = normalizeEmail(bracketed ?? value)?.display;
  return address === undefined ? undefined : { name: (quoted ?? plain).trim(), address };
}

export const senderViolation = (value: string): string | undefined => (readSender(value) ? undefined : 'sender');

function webAddress(value: string): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['https:', 'http:'].includes(url.protocol)) return undefined;
  // Rejects what the URL parser silently drops or rewrites, so that the URL shown is the one called.
  const isPlain = /^https?:\/\/[^\s\\]+$/i.test(value);
  return isPlain && url.username === '' && url.password === '' && url.hash === '' ? url : undefined;
}

/** Parses a provider's URL without a path. A bare host gets https. */
export function readEndpoint(value: string): URL | undefined {
  const url = webAddress(value.includes('://') ? value : `https://${value}`);
  return url?.pathname === '/' && url.search === '' ? url : undefined;
}

export const endpointViolation = (value: string): string | undefined => (readEndpoint(value) ? undefined : 'endpoint');

export const readWebHook = webAddress;

export const webHookViolation = (value: string): string | undefined => (webAddress(value) ? undefined : 'web_hook');

/** Whether the host name refers to this machine. */
export const isLoopbackName = (host: string): boolean => host.toLowerCase() === 'localhost' || LOOPBACK.trusts(host);
