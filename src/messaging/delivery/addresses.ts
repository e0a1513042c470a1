import { isIP } from 'node:net';
import { LOOPBACK } from '../../platform/http';
import { normalizeEmail } from '../../users';

/** A sender as mail shows it. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const IDENTIFIER = /^[A-Za-z0-9_-]+$/;
/** Neither quotes nor brackets, which would let a name end early, nor controls. */
const NAMED = /^(?:"([^"\\<>\p{Control}]*)"|([^"\\<>,;:\p{Control}]*?)) *<([^<>]+)>$/u;

export const hostViolation = (value: string): string | undefined =>
  HOST.test(value) || isIP(value) !== 0 ? undefined : 'host_name';

export const identifierViolation = (value: string): string | undefined =>
  IDENTIFIER.test(value) ? undefined : 'identifier';

/** `ann@example.com` or `Example <ann@example.com>`; undefined where it is neither. */
export function readSender(value: string): Sender | undefined {
  const [, quoted, plain = '', bracketed] = NAMED.exec(value) ?? [];
  const address = normalizeEmail(bracketed ?? value)?.display;
  return address === undefined ? undefined : { name: (quoted ?? plain).trim(), address };
}

export const senderViolation = (value: string): string | undefined => (readSender(value) ? undefined : 'sender');

function webAddress(value: string): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['https:', 'http:'].includes(url.protocol)) return undefined;
  // What the parser would quietly drop or turn round is refused: the address shown is the one that is called.
  const isPlain = /^https?:\/\/[^\s\\]+$/i.test(value);
  return isPlain && url.username === '' && url.password === '' && url.hash === '' ? url : undefined;
}

/** A provider's address without a path; a bare host is meant as https. */
export function readEndpoint(value: string): URL | undefined {
  const url = webAddress(value.includes('://') ? value : `https://${value}`);
  return url?.pathname === '/' && url.search === '' ? url : undefined;
}

export const endpointViolation = (value: string): string | undefined => (readEndpoint(value) ? undefined : 'endpoint');

export const readWebHook = webAddress;

export const webHookViolation = (value: string): string | undefined => (webAddress(value) ? undefined : 'web_hook');

/** Whether the name of a host leads to this very machine. */
export const isLoopbackName = (host: string): boolean => host.toLowerCase() === 'localhost' || LOOPBACK.trusts(host);
