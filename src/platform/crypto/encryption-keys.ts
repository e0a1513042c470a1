import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { decodeBase64url } from './base64url';

const KEY_BYTES = 32;
const KID = /^[A-Za-z0-9_-]{1,32}$/;
const EXPECTED = 'kid:base64url(32 bytes)[,older…]';

/** Key ring: the first key seals, all keys open. The keys appear in neither JSON nor printed output. */
export class EncryptionKeys {
  readonly #keys: ReadonlyMap<string, KeyObject>;

  private constructor(
    /** Id of the key that seals. */
    readonly activeKid: string,
    keys: ReadonlyMap<string, KeyObject>,
  ) {
    this.#keys = keys;
  }

  /**
   * Parses `kid:base64url(32 bytes)[,older…]`; a kid has 1–32 of `[A-Za-z0-9_-]`, spaces around an entry are ignored.
   * Errors name an entry by its position only: a swapped `key:kid` must not print the key.
   */
  static parse(text: string): EncryptionKeys {
    const entries = text.split(',').map((entry, index) => parseEntry(entry.trim(), index + 1));
    const keys = new Map<string, KeyObject>();
    for (const [index, { kid, key }] of entries.entries()) {
      if (keys.has(kid)) throw new Error(`Encryption keys: entry ${index + 1} repeats the id of an earlier one`);
      keys.set(kid, key);
    }
    const [active] = keys.keys();
    if (active === undefined) throw new Error(`Encryption keys: none given, expected ${EXPECTED}`);
    return new EncryptionKeys(active, keys);
  }

  /** Generates a ring of one random key in the form that `parse` reads. The text is a secret. */
  static generate(): string {
    return `k${randomBytes(4).toString('hex')}:${randomBytes(KEY_BYTES).toString('base64url')}`;
  }

  /**
   * Returns this ring with the keys of another one appended. Throws if an id names two different keys: values sealed
   * under it would be ambiguous.
   */
  followedBy(other: EncryptionKeys): EncryptionKeys {
    const keys = new Map(this.#keys);
    for (const [kid, key] of other.#keys) {
      if (keys.get(kid)?.equals(key) === false) throw new Error(`Encryption keys: the id ${kid} names another key now`);
      keys.set(kid, key);
    }
    return new EncryptionKeys(this.activeKid, keys);
  }

  /** Whether both rings hold the same keys in the same order. */
  equals(other: EncryptionKeys): boolean {
    const [own, others] = [[...this.#keys], [...other.#keys]];
    return (
      own.length === others.length &&
      own.every(([kid, key], index) => others[index]?.[0] === kid && others[index][1].equals(key))
    );
  }

  /** Ids of all keys, the sealing key first. */
  get kids(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** Returns the key with this id, if the ring has it. */
  find(kid: string): KeyObject | undefined {
    return this.#keys.get(kid);
  }

  /** The key that seals. */
  get active(): KeyObject {
    const key = this.#keys.get(this.activeKid);
    if (!key) throw new Error('Encryption keys: the ring is empty');
    return key;
  }
}

function parseEntry(entry: string, position: number): { kid: string; key: KeyObject } {
  const colon = entry.indexOf(':');
  if (colon < 0) throw new Error(`Encryption keys: entry ${position} has no ":", expected ${EXPECTED}`);
  const kid = entry.slice(0, colon);
  if (!KID.test(kid)) throw new Error(`Encryption keys: the id of entry ${position} is not 1 to 32 of [A-Za-z0-9_-]`);
  const bytes = decodeBase64url(entry.slice(colon + 1).replace(/=$/, ''));
  if (!bytes) throw new Error(`Encryption keys: the key of entry ${position} is not base64url`);
  if (bytes.length !== KEY_BYTES) {
    throw new Error(`Encryption keys: the key of entry ${position} has ${bytes.length} bytes, expected ${KEY_BYTES}`);
  }
  return { kid, key: createSecretKey(bytes) };
}
