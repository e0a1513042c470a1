import { createPrivateKey, createPublicKey, KeyObject, sign, verify } from 'node:crypto';

/** A key that cannot be read. Carries nothing of it. */
export class KeyFormatError extends Error {
  constructor() {
    super('The key cannot be read');
    this.name = 'KeyFormatError';
  }
}

type PrivateKeyType = 'pkcs8' | 'pkcs1';
type PublicKeyType = 'spki' | 'pkcs1';

const isPem = (text: string): boolean => text.trimStart().startsWith('-----BEGIN');

function firstThatReads(readers: readonly (() => KeyObject)[]): KeyObject {
  for (const read of readers) {
    try {
      return read();
    } catch {
      // The next form may fit.
    }
  }
  throw new KeyFormatError();
}

/** A private key from PEM, or from the bare base64 (PKCS #8 or #1) in which some providers hand theirs out. */
function privateKeyOf(text: string): KeyObject {
  const der = (type: PrivateKeyType) => (): KeyObject =>
    createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type });
  return firstThatReads(isPem(text) ? [() => createPrivateKey(text)] : [der('pkcs8'), der('pkcs1')]);
}

function publicKeyOf(text: string): KeyObject {
  const der = (type: PublicKeyType) => (): KeyObject =>
    createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type });
  return firstThatReads(isPem(text) ? [() => createPublicKey(text)] : [der('spki'), der('pkcs1')]);
}

/** SHA256withRSA (RFC 8017 §8.2) over the UTF-8 of the text, in base64. Errors: `KeyFormatError`. */
export function signRsaSha256(text: string, privateKey: string): string {
  return sign('sha256', Buffer.from(text, 'utf8'), rsa(privateKeyOf(privateKey))).toString('base64');
}

/** Whether the base64 signature is SHA256withRSA over the text. Errors: `KeyFormatError`. */
export function verifyRsaSha256(text: string, signature: string, publicKey: string): boolean {
  return verify('sha256', Buffer.from(text, 'utf8'), rsa(publicKeyOf(publicKey)), Buffer.from(signature, 'base64'));
}

/**
 * A JWT signed with ES256 (RFC 7515, RFC 7518 §3.4). Errors: `KeyFormatError` for a text that is no P-256 key; a key that
 * was read is taken for one.
 */
export function signEs256Jwt(header: object, claims: object, privateKey: string | KeyObject): string {
  const key = typeof privateKey === 'string' ? p256KeyOf(privateKey) : privateKey;
  const encode = (part: object): string => Buffer.from(JSON.stringify(part), 'utf8').toString('base64url');
  const input = `${encode({ alg: 'ES256', ...header })}.${encode(claims)}`;
  // At once: it takes 25 µs, and handing it to a thread costs the requests' own thread more than that.
  const signature = sign('sha256', Buffer.from(input, 'ascii'), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

function p256KeyOf(text: string): KeyObject {
  const key = privateKeyOf(text);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new KeyFormatError();
  return key;
}

function rsa(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') throw new KeyFormatError();
  return key;
}
