import { createPrivateKey, createPublicKey, generateKeyPair, KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { exportJWK, JWK } from 'jose';
import type { PublicJwk } from './public-jwk';

export type KeyAlgorithm = 'ES256' | 'RS256';

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A key with its private half, for a library that signs by itself. Never stored, never shown. */
export type PrivateJwk = JWK & { readonly kid: string };

const RSA_BITS = 2_048;
const generate = promisify(generateKeyPair);

export function generateKeys(algorithm: KeyAlgorithm): Promise<KeyPair> {
  return algorithm === 'ES256' ? generate('ec', { namedCurve: 'P-256' }) : generate('rsa', { modulusLength: RSA_BITS });
}

/** The private half as PEM (PKCS #8). */
export const toPem = ({ privateKey }: Pick<KeyPair, 'privateKey'>): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Of the half given, as it is served or handed to a library (RFC 7517 §4). */
export async function toJwk(key: KeyObject, kid: string, algorithm: string): Promise<PrivateJwk> {
  return { ...(await exportJWK(key)), kid, alg: algorithm, use: 'sig' };
}

/** @param pem as `toPem` wrote it. */
export function readKeys(pem: string, publicJwk: PublicJwk): KeyPair {
  return { privateKey: createPrivateKey(pem), publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }) };
}
