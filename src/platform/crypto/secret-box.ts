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

/** A sealed value that cannot be opened. Contains neither the value nor a key. */
export class SecretBoxError extends Error {
  constructor(readonly reason: SecretBoxFailure) {
    super(`Sealed value cannot be opened: ${reason}`);
    this.name = 'SecretBoxError';
  }
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
 * Seals secrets for storage with AES-256-GCM: `enc:v1:<kid>:<iv>:<ciphertext>:<tag>`, parts in base64url. The context,
 * such as `oauth_provider|<id>|client_secret`, is authenticated: a value moved to another row or field does not open.
 */
export class SecretBox {
  /** Derived keys, cached because the purposes are few and fixed. */
  private readonly macKeys = new Map<string, KeyObject>();

  constructor(private keys: EncryptionKeys) {}

  get ring(): EncryptionKeys {
    return this.keys;
  }

  /** Replaces the ring. An id that both rings contain must name the same key. */
  use(ring: EncryptionKeys): void {
    this.keys = ring;
  }

  /** Seals the text with the first key of the ring. */
  seal(plaintext: string, context: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keys.active, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context, 'utf8'));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    const parts = [iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'));
    return [`${PREFIX}${VERSION}`, this.keys.activeKid, ...parts].join(':');
  }

  /** Returns the plaintext of an envelope sealed for this context. Throws `SecretBoxError` for anything else. */
  open(envelope: string, context: string): string {
    const { kid, iv, ciphertext, tag } = parseEnvelope(envelope);
    const key = this.keys.find(kid);
    if (!key) throw new SecretBoxError('unknown_key');
    // A fixed length, because GCM would accept a shortened tag (NIST SP 800-38D §5.2.1.2).
    const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context, 'utf8'));
    decipher.setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
    } catch {
      throw new SecretBoxError('not_authentic');
    }
  }

  /** As `open`, but returns undefined if the value was tampered with or its key is not in the ring. */
  openIfPossible(envelope: string, context: string): string | undefined {
    try {
      return this.open(envelope, context);
    } catch (error) {
      if (error instanceof SecretBoxError) return undefined;
      throw error;
    }
  }

  /** As `open`, but returns a value without the `enc:` prefix, a legacy plaintext, as it is. */
  openOrLegacy(value: string, context: string): string {
    return isSealed(value) ? this.open(value, context) : value;
  }

  /** Id of the first key of the ring. */
  get activeKid(): string {
    return this.keys.activeKid;
  }

  /** Prefix of the envelopes sealed with the first key of the ring. */
  get activePrefix(): string {
    return `${PREFIX}${VERSION}:${this.keys.activeKid}:`;
  }

  /**
   * Returns the kid of an envelope, in the ring or not; undefined for a legacy plaintext. Throws `SecretBoxError` if
   * malformed.
   */
  sealedWith(value: string): string | undefined {
    return isSealed(value) ? parseEnvelope(value).kid : undefined;
  }

  /**
   * Whether the value is a legacy plaintext or sealed with another key than the first. Throws `SecretBoxError` if
   * malformed.
   */
  needsReseal(value: string): boolean {
    return this.sealedWith(value) !== this.keys.activeKid;
  }

  /**
   * Returns a keyed digest `<kid>.<base64url>` (HMAC-SHA-256). Each purpose, a constant such as `verification_code`,
   * has its own key.
   * @param kid id of the key; default, and fallback for an unknown id: the first key.
   */
  mac(purpose: string, data: string, kid = this.keys.activeKid): string {
    const { activeKid, active } = this.keys;
    const key = this.keys.find(kid);
    return key ? this.macUnder(kid, key, purpose, data) : this.macUnder(activeKid, active, purpose, data);
  }

  /** As `mac`, with every key of the ring, the first one first: for libraries that sign and verify by themselves. */
  macs(purpose: string, data: string): string[] {
    return this.keys.kids.flatMap((kid) => {
      const key = this.keys.find(kid);
      return key ? [this.macUnder(kid, key, purpose, data)] : [];
    });
  }

  /** Verifies a digest of `mac` for this purpose and data, with any key of the ring. Constant-time; never throws. */
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

  /**
   * HKDF (RFC 5869 §3.2) with the purpose as `info` separates the MAC keys from the sealing key and from each other.
   */
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
