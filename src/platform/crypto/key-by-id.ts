import { errors, JWTHeaderParameters } from 'jose';
import { MaybePromise } from '../util';
import type { PublicKey } from './public-jwk';

export type FindKey = (kid: string) => MaybePromise<PublicKey | undefined>;

/** Uses only our own keys, found by `kid`; ignores keys that the header names or contains (RFC 8725 §3.10). */
export async function keyById({ kid }: JWTHeaderParameters, findKey: FindKey): Promise<PublicKey> {
  const key = typeof kid === 'string' ? await findKey(kid) : undefined;
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}
