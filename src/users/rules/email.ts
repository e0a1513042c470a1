import { domainToASCII } from 'node:url';
import { typedText, withoutMarksAfter } from '../../platform/util';

export interface EmailAddress {
  /** As typed, without surrounding space and with the full-width forms of keyboards replaced. */
  readonly display: string;
  /** The form for uniqueness and lookup: lower case, with the domain in ASCII (RFC 5890). */
  readonly key: string;
}

const MAX_ADDRESS_LENGTH = 254; // RFC 5321 §4.5.3.1.3, as corrected by erratum 1690
/** Bounds the work on hostile input. */
const MAX_READ = 1_000;
const MAX_DOMAIN_LENGTH = 253; // RFC 1035 §2.3.4, without the root label
const MAX_LOCAL_PART_LENGTH = 64; // RFC 5321 §4.5.3.1.1

/**
 * atext of RFC 5322 §3.2.3. Excludes quoted strings, comments, groups and lists, because mailers have read them as
 * other recipients.
 */
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/;
const LABEL = /^[a-z0-9-]{1,63}$/;
const ASCII_DOMAIN = /^[a-z0-9.-]+$/;
const DOMAIN_CHARACTERS = /^[\p{Letter}\p{Mark}\p{Number}.-]+$/u;
const SCHEME = /^mailto:/i;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/**
 * Parses one mailbox `local@domain`, or returns undefined. The local part is a dot-atom in ASCII. The domain has at
 * least two labels and may be international. The text is read by `typedText`, with `。` for a dot, after `mailto:` and before a comma. Lists, a second `@`,
 * control characters and spaces are rejected.
 */
export function normalizeEmail(value: unknown): EmailAddress | undefined {
  if (typeof value !== 'string' || value.length > MAX_READ) return undefined;
  const display = withoutMarksAfter(typedText(value)).replace(SCHEME, '').replaceAll('。', '.');
  const [local, domain, ...more] = display.split('@');
  if (local === undefined || domain === undefined || more.length > 0) return undefined;
  const host = isLocalPart(local) ? hostOf(domain) : undefined;
  if (host === undefined) return undefined;
  const key = `${local.toLowerCase()}@${host}`;
  const fits = key.length <= MAX_ADDRESS_LENGTH && Buffer.byteLength(display, 'utf8') <= MAX_ADDRESS_LENGTH;
  return fits ? { display, key } : undefined;
}

/**
 * Masks an address as `a***@example.com` for logs and deliveries, or `***@example.com` for a local part of one
 * character. Returns `***` for invalid input.
 */
export function maskEmail(value: string): string {
  const key = normalizeEmail(value)?.key;
  if (key === undefined) return '***';
  const at = key.indexOf('@');
  // Cuts the end, so that the mask never exceeds the maximum length of an address.
  return `${at > 1 ? key.charAt(0) : ''}***${key.slice(at)}`.slice(0, MAX_ADDRESS_LENGTH);
}

/** A domain in lower case and ASCII (RFC 5890), or undefined unless it is one with at least two labels. */
export function normalizeDomain(text: string): string | undefined {
  const host = hostOf(text);
  return host !== undefined && host.length <= MAX_DOMAIN_LENGTH ? host : undefined;
}

function isLocalPart(local: string): boolean {
  return local.length <= MAX_LOCAL_PART_LENGTH && local.split('.').every((atom) => ATOM.test(atom));
}

function hostOf(domain: string): string | undefined {
  const typed = domain.toLowerCase();
  if (!DOMAIN_CHARACTERS.test(typed) || INVISIBLE.test(typed)) return undefined;
  const host = domainToASCII(typed);
  // `domainToASCII` also reads 0x7f.1 as an IPv4 address, so reject an ASCII name that it changes.
  if (ASCII_DOMAIN.test(typed) && host !== typed) return undefined;
  return isHostName(host) ? host : undefined;
}

function isHostName(host: string): boolean {
  const labels = host.split('.');
  // A last label of digits only marks an IP address, not a host name (RFC 3696 §2).
  return labels.length >= 2 && labels.every(isLabel) && !/^\d+$/.test(labels.at(-1) ?? '');
}

function isLabel(label: string): boolean {
  return LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-');
}
