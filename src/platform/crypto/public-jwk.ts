import type { JWK } from 'jose';

/** The public half of a key as it is served (RFC 7517). */
export type PublicJwk = JWK;
