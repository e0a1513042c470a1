import Bowser from 'bowser';
import { LRUCache } from 'lru-cache';

const DEVICE_TYPES = ['desktop', 'mobile', 'tablet', 'tv', 'bot'] as const;

export type DeviceType = (typeof DEVICE_TYPES)[number] | 'unknown';

/** Description of a device by its `User-Agent`: a hint for people, never a fact. */
export interface ClientDevice {
  /** For example `Chrome on Windows`. */
  readonly name: string;
  readonly os: string;
  readonly browser: string;
  readonly type: DeviceType;
}

const UNKNOWN = 'unknown';
const MAX_USER_AGENT_LENGTH = 512;
// Includes bidirectional marks and line separators, which are not control characters but garble a list of sessions or a
// log.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
// The parser returns names of unknown products as sent, and names appear in mails: markup must not pass.
const SHOWABLE = /^[A-Za-z0-9][A-Za-z0-9 ._!+-]{0,63}$/;
const PRODUCT = /^([A-Za-z][A-Za-z0-9._-]{0,31})\/[0-9]/;

/** Cached, because parsing is expensive and few browsers cause most logins and refreshes. */
const described = new LRUCache<string, ClientDevice>({ max: 500 });

/** Cleans a `User-Agent` for storage and display: at most 512 characters, no control characters. */
export function cleanUserAgent(userAgent: string | undefined): string {
  return (userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH).replace(INVISIBLE, '').trim();
}

function shown(name: string | undefined): string | undefined {
  return name !== undefined && SHOWABLE.test(name) ? name : undefined;
}

function productOf(userAgent: string): string | undefined {
  const product = PRODUCT.exec(userAgent)?.[1];
  return product === 'Mozilla' ? undefined : product;
}

function parse(userAgent: string): ReturnType<typeof Bowser.parse> | undefined {
  try {
    return Bowser.parse(userAgent);
  } catch {
    // The parser throws for an empty text; no client input may fail a login.
    return undefined;
  }
}

function nameOf(browser: string | undefined, os: string | undefined): string {
  if (browser && os) return `${browser} on ${os}`;
  return browser ?? os ?? UNKNOWN;
}

/** Returns browser, operating system and device type of a `User-Agent`; `unknown` for what it does not contain. */
export function describeDevice(userAgent: string | undefined): ClientDevice {
  const text = cleanUserAgent(userAgent);
  const known = described.get(text) ?? describe(text);
  described.set(text, known);
  return known;
}

function describe(text: string): ClientDevice {
  const parsed = parse(text);
  const os = shown(parsed?.os.name);
  const browser = shown(parsed?.browser.name) ?? productOf(text);
  const type = DEVICE_TYPES.find((known) => known === parsed?.platform.type) ?? UNKNOWN;
  return { name: nameOf(browser, os), os: os ?? UNKNOWN, browser: browser ?? UNKNOWN, type };
}
