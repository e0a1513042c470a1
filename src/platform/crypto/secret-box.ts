import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import { decodeBase64url } from './base64url';
import { EncryptionKeys } from './encryption-keys';

export type SecretBoxFailure = 'malformed' | 'unknown_key' | 'not_authentic';

/** A sealed value that cannot be opened. Carries neither the value nor any key. */
export class SecretBoxError extends Error {
  constructor(readonly reason: SecretBoxFailure) {
    super(`Sealed value cannot be opened: ${reason}`);
    this.name = 'SecretBoxError';
  }
}

/** What `openOrLegacy` found; `legacy` values were never sealed and should be sealed at the next write. */
export interface OpenedSecret {
  readonly plaintext: string;
  readonly legacy: boolean;
}

interface Envelope {
  readonly kid: string;
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

const ALGORITHM = 'aes-256-gcm';
const PREFIX = 'enc:';
const VERSION = 'v1';
const IV_BYTES = 12; // NIST SP 800-38D §8.2.2: 96 random bits, good for 2^32 seals of one key
const TAG_BYTES = 16;
const MAC_KEY_BYTES = 32;
/** 32 bytes in base64url. */
const MAC_TEXT_LENGTH = 43;

/**
 * Seals secrets for storage with AES-256-GCM: `enc:v1:<kid>:<iv>:<ciphertext>:<tag>`, parts in base64url.
 * The context (`oauth_provider|<id>|client_secret`) is authenticated, so a value moved to another row or field does not open.
 */
export class SecretBox {
  /** Derived once: purposes are few and fixed. */
  private readonly macKeys = new Map<string, KeyObject>();

  constructor(private keys: EncryptionKeys) {}

  get ring(): EncryptionKeys {
    return this.keys;
  }

  /** Seals and opens with another ring from now on; an id that both rings have must name the same key. */
  use(ring: EncryptionKeys): void {
    this.keys = ring;
  }

  /** Seals the UTF-8 of the text with the first key of the ring. */
  seal(plaintext: string, context: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keys.active, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context, 'utf8'));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    const parts = [iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'));
    return [`${PREFIX}${VERSION}`, this.keys.activeKid, ...parts].join(':');
  }

  /** The plaintext of an envelope sealed for this context. Throws SecretBoxError for anything else. */
  open(envelope: string, context: string): string {
    const { kid, iv, ciphertext, tag } = parseEnvelope(envelope);
    const key = this.keys.find(kid);
    if (!key) throw new SecretBoxError('unknown_key');
    // The length is pinned because GCM would take a shortened tag (NIST SP 800-38D §5.2.1.2).
    const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context, 'utf8'));
    decipher.setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
    } catch {
      throw new SecretBoxError('not_authentic');
    }
  }

  /** As `open`, for what may be done without: undefined where it was tampered with, or its key is not here (yet, or any more). */
  openIfPossible(envelope: string, context: string): string | undefined {
    try {
      return this.open(envelope, context);
    } catch (error) {
      if (error instanceof SecretBoxError) return undefined;
      throw error;
    }
  }

  /** As `open`, but a value without the `enc:` prefix is plaintext from before sealing and comes back as it is, flagged. */
  openOrLegacy(value: string, context: string): OpenedSecret {
    if (!isSealed(value)) return { plaintext: value, legacy: true };
    return { plaintext: this.open(value, context), legacy: false };
  }

  /** The id of the first key of the ring. */
  get activeKid(): string {
    return this.keys.activeKid;
  }

  /** How every envelope begins that the first key of the ring sealed. */
  get activePrefix(): string {
    return `${PREFIX}${VERSION}:${this.keys.activeKid}:`;
  }

  /** The kid of an envelope, in the ring or not; undefined for a legacy plaintext. Throws SecretBoxError when malformed. */
  sealedWith(value: string): string | undefined {
    return isSealed(value) ? parseEnvelope(value).kid : undefined;
  }

  /** Whether the value is a legacy plaintext or sealed by another key than the first. Throws SecretBoxError when malformed. */
  needsReseal(value: string): boolean {
    return this.sealedWith(value) !== this.keys.activeKid;
  }

  /**
   * A keyed digest `<kid>.<base64url>` (HMAC-SHA-256) under a key of its own for each purpose, a fixed name such as
   * `verification_code`. @param kid of the key; the first one where it is left out or not in the ring.
   */
  mac(purpose: string, data: string, kid = this.keys.activeKid): string {
    const { activeKid, active } = this.keys;
    const key = this.keys.find(kid);
    return key ? this.macUnder(kid, key, purpose, data) : this.macUnder(activeKid, active, purpose, data);
  }

  /** As `mac`, under each key of the ring, the first one first: for whoever signs and verifies by itself. */
  macs(purpose: string, data: string): string[] {
    return this.keys.kids.flatMap((kid) => {
      const key = this.keys.find(kid);
      return key ? [this.macUnder(kid, key, purpose, data)] : [];
    });
  }

  /** Whether `mac` made this for the same purpose and data with any key of the ring; in constant time, never throws. */
  verifyMac(purpose: string, data: string, mac: string): boolean {
    const dot = mac.indexOf('.');
    if (mac.length - dot - 1 !== MAC_TEXT_LENGTH) return false;
    const kid = mac.slice(0, Math.max(dot, 0));
    const key = this.keys.find(kid);
    const given = decodeBase64url(mac.slice(dot + 1));
    return (
      key !== undefined && given !== undefined && timingSafeEqual(given, digest(this.macKey(kid, key, purpose), data))
    );
  }

  private macUnder(kid: string, key: KeyObject, purpose: string, data: string): string {
    return `${kid}.${digest(this.macKey(kid, key, purpose), data).toString('base64url')}`;
  }

  /** HKDF (RFC 5869 §3.2) with the purpose as `info` keeps the MAC keys apart from the sealing key and from each other. */
  private macKey(kid: string, key: KeyObject, purpose: string): KeyObject {
    const name = `${kid}|${purpose}`;
    const known = this.macKeys.get(name);
    if (known) return known;
    const derived = hkdfSync('sha256', key, Buffer.alloc(0), `castellan|mac|v1|${purpose}`, MAC_KEY_BYTES);
    const macKey = createSecretKey(Buffer.from(derived));
    this.macKeys.set(name, macKey);
    return macKey;
  }
}

function isSealed(value: string): boolean {
  return value.startsWith(PREFIX);
}

function parseEnvelope(envelope: string): Envelope {
  const [prefix, version, kid, ...encoded] = envelope.split(':');
  const isKnownShape = `${prefix}:` === PREFIX && version === VERSION && encoded.length === 3;
  if (!isKnownShape || !kid) throw new SecretBoxError('malformed');
  const [iv, ciphertext, tag] = encoded.map(decodeBase64url);
  if (iv?.length !== IV_BYTES || tag?.length !== TAG_BYTES || !ciphertext) throw new SecretBoxError('malformed');
  return { kid, iv, ciphertext, tag };
}

function digest(macKey: KeyObject, data: string): Buffer {
  return createHmac('sha256', macKey).update(data, 'utf8').digest();
}
