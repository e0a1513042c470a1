import { createHash, pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';

const derive = promisify(pbkdf2);

const DIGESTS = ['md5', 'sha256', 'sha512'] as const;
export type WeakDigest = (typeof DIGESTS)[number];

const PBKDF2_DIGESTS = ['sha1', 'sha256', 'sha512'] as const;

/** Prefix of hashes that give no protection once stolen. */
export const WEAK_HASH_PREFIX = '$weak-';

const BASE64 = '[A-Za-z0-9+/]';
const BCRYPT = /^\$2[aby]\$(?<cost>\d\d)\$[./A-Za-z0-9]{53}$/;
const PBKDF2 = new RegExp(
  `^\\$pbkdf2-(?<digest>${PBKDF2_DIGESTS.join('|')})\\$i=(?<iterations>[1-9]\\d{0,7})(?:,l=\\d{1,3})?\\$(?<salt>${BASE64}{0,684})\\$(?<hash>${BASE64}{22,171})$`,
);
const WEAK = new RegExp(
  `^\\$weak-(?<digest>${DIGESTS.join('|')})\\$(?<salts>${BASE64}{0,200}(?:,${BASE64}{0,200}){0,3})\\$(?<hash>[0-9a-f]{32,128})$`,
);

/** Limits above any sensible configuration: verifying a hash that costs more would block a place in the queue. */
const MIN_BCRYPT_COST = 4;
const MAX_BCRYPT_COST = 15;
/** Iterations times blocks of the derived key (RFC 8018 §5.2), which is the work of PBKDF2. */
const MAX_PBKDF2_ROUNDS = 5_000_000;
const PBKDF2_BLOCK_BYTES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 };

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
const isEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);

/** Formats a PBKDF2 hash (RFC 8018 §5.2) like a PHC string. Returns undefined if it cannot be verified here. */
export function pbkdf2Hash(
  digest: string,
  parts: { readonly iterations: number; readonly salt: Buffer; readonly hash: Buffer },
): string | undefined {
  const text = `$pbkdf2-${digest}$i=${parts.iterations}$${unpadded(parts.salt)}$${unpadded(parts.hash)}`;
  return isForeignHash(text) ? text : undefined;
}

/**
 * Formats a salted digest of Casdoor, `d(d(password) + salt)` in lower-case hex, valid with any of the salts, as a weak
 * hash. Returns undefined if the hash does not fit the digest.
 */
export function weakHash(digest: WeakDigest, salts: readonly string[], hash: string): string | undefined {
  const text = `${WEAK_HASH_PREFIX}${digest}$${salts.map((salt) => unpadded(Buffer.from(salt))).join(',')}$${hash.toLowerCase()}`;
  return isForeignHash(text) ? text : undefined;
}

/** Whether the text is a hash of another system that `verifyForeignHash` can verify. */
export function isForeignHash(stored: string): boolean {
  return isVerifiableBcrypt(stored) || isVerifiablePbkdf2(stored) || isWholeDigest(stored);
}

function isVerifiableBcrypt(stored: string): boolean {
  const cost = Number(BCRYPT.exec(stored)?.groups?.['cost']);
  return cost >= MIN_BCRYPT_COST && cost <= MAX_BCRYPT_COST;
}

function isVerifiablePbkdf2(stored: string): boolean {
  const { digest = '', iterations, hash = '' } = PBKDF2.exec(stored)?.groups ?? {};
  const blocks = Math.ceil(Buffer.from(hash, 'base64').length / (PBKDF2_BLOCK_BYTES[digest] ?? 1));
  return Number(iterations) * blocks <= MAX_PBKDF2_ROUNDS;
}

function isWholeDigest(stored: string): boolean {
  const { digest, hash } = WEAK.exec(stored)?.groups ?? {};
  return digest !== undefined && hash?.length === digestOf(digest, '').length;
}

/** Verifies a password, encoded as the other system reads it. A malformed hash returns false. */
export async function verifyForeignHash(password: string, stored: string): Promise<boolean> {
  if (!isForeignHash(stored)) return false;
  if (BCRYPT.test(stored)) return verifyBcrypt(password, stored).catch(() => false);
  const parts = PBKDF2.exec(stored)?.groups;
  return parts ? verifyPbkdf2(password, parts) : verifyWeak(password, WEAK.exec(stored)?.groups ?? {});
}

type Parts = Readonly<Record<string, string>>;

async function verifyPbkdf2(
  password: string,
  { digest = '', iterations, salt = '', hash = '' }: Parts,
): Promise<boolean> {
  const expected = Buffer.from(hash, 'base64');
  const made = await derive(password, Buffer.from(salt, 'base64'), Number(iterations), expected.length, digest);
  return isEqual(made, expected);
}

const digestOf = (digest: string, text: string): string => createHash(digest).update(text).digest('hex');

function verifyWeak(password: string, { digest = '', salts = '', hash = '' }: Parts): boolean {
  const plain = digestOf(digest, password);
  const made = salts.split(',').flatMap((salt) => {
    const salted = digestOf(digest, plain + Buffer.from(salt, 'base64').toString());
    // Without a salt, some Casdoor schemes hash twice and others once.
    return salt === '' ? [plain, salted] : [salted];
  });
  return made.some((candidate) => isEqual(Buffer.from(candidate), Buffer.from(hash)));
}
