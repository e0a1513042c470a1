import { domainToASCII } from 'node:url';

export interface EmailAddress {
  /** As typed. */
  readonly display: string;
  /** The form in which addresses are unique and looked up: lower case, the domain in ASCII (RFC 5890). */
  readonly key: string;
}

const LONGEST_ADDRESS = 254; // RFC 5321 §4.5.3.1.3, as corrected by erratum 1690
const LONGEST_LOCAL_PART = 64; // RFC 5321 §4.5.3.1.1

/** atext of RFC 5322 §3.2.3: no quoted strings, comments, groups or lists, which mailers have read as other recipients. */
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/;
const LABEL = /^[a-z0-9-]{1,63}$/;
const ASCII_DOMAIN = /^[a-z0-9.-]+$/;
const DOMAIN_CHARACTERS = /^[\p{Letter}\p{Mark}\p{Number}.-]+$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/**
 * One mailbox, or undefined: `local@domain` with a dotted ASCII local part and a domain of at least two labels, which may
 * be international. Nothing is trimmed; a list, a second `@`, a control or space, or a value that is not a text is refused.
 */
export function normalizeEmail(value: unknown): EmailAddress | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_ADDRESS) return undefined;
  const [local, domain, ...more] = value.split('@');
  if (local === undefined || domain === undefined || more.length > 0) return undefined;
  const host = isLocalPart(local) ? hostOf(domain) : undefined;
  if (host === undefined) return undefined;
  const key = `${local.toLowerCase()}@${host}`;
  const fits = key.length <= LONGEST_ADDRESS && Buffer.byteLength(value, 'utf8') <= LONGEST_ADDRESS;
  return fits ? { display: value, key } : undefined;
}

/** `a***@example.com`, for logs and deliveries; the letter too is hidden where it is the whole name. Not an address: `***`. */
export function maskEmail(value: string): string {
  const key = normalizeEmail(value)?.key;
  if (key === undefined) return '***';
  const at = key.indexOf('@');
  // Of the longest addresses the end goes: the stars are not to make one longer than an address may be.
  return `${at > 1 ? key.charAt(0) : ''}***${key.slice(at)}`.slice(0, LONGEST_ADDRESS);
}

function isLocalPart(local: string): boolean {
  return local.length <= LONGEST_LOCAL_PART && local.split('.').every((atom) => ATOM.test(atom));
}

function hostOf(domain: string): string | undefined {
  const typed = domain.toLowerCase();
  if (!DOMAIN_CHARACTERS.test(typed) || INVISIBLE.test(typed)) return undefined;
  const host = domainToASCII(typed);
  // The URL rules also read 0x7f.1 as an IPv4 address: an ASCII name they change is no name.
  if (ASCII_DOMAIN.test(typed) && host !== typed) return undefined;
  return isHostName(host) ? host : undefined;
}

function isHostName(host: string): boolean {
  const labels = host.split('.');
  // A last label of digits is an address, not a name (RFC 3696 §2).
  return labels.length >= 2 && labels.every(isLabel) && !/^\d+$/.test(labels.at(-1) ?? '');
}

function isLabel(label: string): boolean {
  return LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-');
}
