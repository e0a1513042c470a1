import { isIP, isIPv4 } from 'node:net';
import * as ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [IpAddress, number];

const V4_BITS = 32;
const V6_BITS = 128;
const MAPPED_PREFIX_BITS = 96;
/** An IPv6 address has at most 45 characters; the rest is for the zone of a link-local peer. */
const MAX_ADDRESS_LENGTH = 64;

const NAMED_NETWORKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/**
 * Parses an IP address. `::ffff:1.2.3.4` becomes the IPv4 address it maps (RFC 4291 §2.5.5.2), and a zone is dropped.
 */
export function parseAddress(text: string): IpAddress | undefined {
  // Validated by node:net: ipaddr.js alone would accept legacy octal, hexadecimal and short forms.
  if (text.length > MAX_ADDRESS_LENGTH || isIP(text) === 0) return undefined;
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  const [bare = text] = text.split('%', 1);
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function parsePrefixLength(text: string, max: number): number | undefined {
  const bits = /^(?:0|[1-9][0-9]{0,2})$/.test(text) ? Number(text) : Number.NaN;
  return bits <= max ? bits : undefined;
}

function parseCidr(base: string, prefixLength: string): Network | undefined {
  const writtenAsV6 = base.includes(':');
  const address = parseAddress(base);
  const bits = parsePrefixLength(prefixLength, writtenAsV6 ? V6_BITS : V4_BITS);
  if (!address || bits === undefined) return undefined;
  if (!writtenAsV6 || address.kind() === 'ipv6') return [address, bits];
  // A mapped network wider than the mapped block would also contain real IPv6 addresses: reject the ambiguity.
  return bits >= MAPPED_PREFIX_BITS ? [address, bits - MAPPED_PREFIX_BITS] : undefined;
}

function parseNetwork(entry: string): Network | undefined {
  if (entry.includes('%')) return undefined;
  const slash = entry.indexOf('/');
  if (slash !== -1) return parseCidr(entry.slice(0, slash), entry.slice(slash + 1));
  const address = parseAddress(entry);
  return address && [address, address.kind() === 'ipv4' ? V4_BITS : V6_BITS];
}

function networksOf(entry: string): Network[] {
  const texts = NAMED_NETWORKS.get(entry.toLowerCase()) ?? [entry];
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (network) return network;
    throw new Error(
      `"${entry.slice(0, MAX_ADDRESS_LENGTH)}" is not a trusted proxy: use loopback, linklocal, uniquelocal, an IP address or a CIDR`,
    );
  });
}

/** Peers whose `X-Forwarded-*` headers are trusted. */
export class ProxyTrust {
  private constructor(private readonly networks: readonly Network[]) {}

  /**
   * Parses `TRUSTED_PROXIES`: names, addresses and CIDR ranges separated by commas; blank trusts no peer. Errors name
   * the bad entry.
   */
  static parse(list: string): ProxyTrust {
    const entries = list.trim() === '' ? [] : list.split(',').map((entry) => entry.trim());
    return new ProxyTrust(entries.flatMap(networksOf));
  }

  /** Whether the address is trusted; false for a malformed address. */
  trusts(address: string | undefined): boolean {
    const parsed = address === undefined ? undefined : parseAddress(address);
    return parsed !== undefined && this.trustsParsed(parsed);
  }

  trustsParsed(address: IpAddress): boolean {
    return this.networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  }
}

/** Addresses of this host. */
export const LOOPBACK = ProxyTrust.parse('loopback');
