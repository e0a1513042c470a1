import { createPrivateKey, createPublicKey, generateKeyPair, KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { exportJWK, JWK } from 'jose';

export type KeyAlgorithm = 'ES256' | 'RS256';

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A private key for a library that signs by itself. Must never be stored or shown. */
export type PrivateJwk = JWK & { readonly kid: string };

const RSA_BITS = 2_048;
const generate = promisify(generateKeyPair);

export function generateKeys(algorithm: KeyAlgorithm): Promise<KeyPair> {
  return algorithm === 'ES256' ? generate('ec', { namedCurve: 'P-256' }) : generate('rsa', { modulusLength: RSA_BITS });
}

/** Exports the private key as PEM (PKCS #8). */
export const toPem = ({ privateKey }: Pick<KeyPair, 'privateKey'>): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Exports the given key as a JWK for signatures (RFC 7517 §4). */
export async function toJwk(key: KeyObject, kid: string, algorithm: string): Promise<PrivateJwk> {
  return { ...(await exportJWK(key)), kid, alg: algorithm, use: 'sig' };
}

/**
 * The public key follows from the private one, so that no stored public key has to be trusted.
 * @param pem output of `toPem`.
 */
export function readKeys(pem: string): KeyPair {
  const privateKey = createPrivateKey(pem);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
