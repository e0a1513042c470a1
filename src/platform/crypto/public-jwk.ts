import type { KeyObject } from 'node:crypto';
import type { JWK } from 'jose';

export type PublicKey = KeyObject;

/** A public key as JWK (RFC 7517). */
export type PublicJwk = JWK;
