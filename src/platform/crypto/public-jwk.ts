import type { KeyObject } from 'node:crypto';
import type { JWK } from 'jose';

export type PublicKey = KeyObject;

/** The public half of a key as it is served (RFC 7517). */
export type PublicJwk = JWK;
