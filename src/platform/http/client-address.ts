import * as ipaddr from 'ipaddr.js';
import { IpAddress, parseAddress, ProxyTrust } from './proxy-trust';

/** Placeholder for a peer that is disconnected or has no address (Unix socket); trusted only if listed. */
export const UNKNOWN_ADDRESS = '0.0.0.0';

const GROUPS_OF_A_SITE = 4;
const MAX_KEY_LENGTH = 64;
const BRACKETED = /^\[([^\]]*)\](?::[0-9]{1,5})?$/;
const V4_WITH_PORT = /^([0-9.]{7,15}):[0-9]{1,5}$/;

const textOf = (address: IpAddress): string =>
  address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();

function parseEntry(entry: string): IpAddress | undefined {
  const bracketed = BRACKETED.exec(entry)?.[1];
  if (bracketed !== undefined) return bracketed.includes(':') ? parseAddress(bracketed) : undefined;
  return parseAddress(V4_WITH_PORT.exec(entry)?.[1] ?? entry);
}

function lastUntrusted(header: string, trust: ProxyTrust): IpAddress | undefined {
  let leftMost: IpAddress | undefined;
  for (let end = header.length; end >= 0;) {
    const comma = end === 0 ? -1 : header.lastIndexOf(',', end - 1);
    const entry = header.slice(comma + 1, end).trim();
    end = comma;
    // RFC 9110 §5.6.1.2: a recipient ignores empty list elements.
    if (entry === '') continue;
    const address = parseEntry(entry);
    if (!address || !trust.trustsParsed(address)) return address;
    leftMost = address;
  }
  return leftMost;
}

/**
 * Returns the address of the client: the right-most `X-Forwarded-For` entry that is not a trusted proxy, read only if
 * the peer is one. A malformed entry before it yields the peer; if all are trusted, the left-most entry counts. IPv6 in
 * RFC 5952 form, mapped IPv4 as IPv4.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trust: ProxyTrust,
): string {
  const direct = peer === undefined ? undefined : parseAddress(peer);
  if (!direct) return UNKNOWN_ADDRESS;
  if (forwardedFor === undefined || !trust.trustsParsed(direct)) return textOf(direct);
  const header = typeof forwardedFor === 'string' ? forwardedFor : forwardedFor.join(',');
  return textOf(lastUntrusted(header, trust) ?? direct);
}

/** A NAT64 gives all its translated IPv4 clients this prefix (RFC 6052 §2.1). */
const NAT64: readonly [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];
const V4_BYTES = 4;

/**
 * Returns the key that rate limits count: an IPv4 address, or the /64 of an IPv6 address, which one client usually
 * owns. A NAT64 address counts as the IPv4 address in it.
 */
export function limitKey(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed) return address.slice(0, MAX_KEY_LENGTH);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  if (parsed.match(...NAT64)) return new ipaddr.IPv4(parsed.toByteArray().slice(-V4_BYTES)).toString();
  const site = new ipaddr.IPv6([...parsed.parts.slice(0, GROUPS_OF_A_SITE), 0, 0, 0, 0]);
  return `${site.toRFC5952String()}/64`;
}
