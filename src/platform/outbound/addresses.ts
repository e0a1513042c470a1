import ipaddr from 'ipaddr.js';

/**
 * Whether an address is on the public internet: not loopback, private, link-local, shared (CGNAT), multicast, reserved
 * or documentation. IPv6 forms that contain an IPv4 address (mapped, 6to4, Teredo, NAT64) and unassigned addresses are
 * not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return isUnicast(parsed.toIPv4Address());
  return isUnicast(parsed) && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST));
}

/** The IPv6 range that IANA assigns (RFC 4291 §2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

const isUnicast = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean => address.range() === 'unicast';

/** Returns the IP address in the host of a URL, without brackets; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) && (hostname.startsWith('[') || ipaddr.IPv4.isValidFourPartDecimal(bare))
    ? bare
    : undefined;
}
