import type { KeyObject } from 'node:crypto';
import { errors, jwtVerify, JWTPayload, SignJWT } from 'jose';
import { actClaim } from './act-claim';
import { ASSERTION_TYPE } from './assertion-type';
import { FindKey, keyById } from './key-by-id';

/** Whose session an assertion states. */
export interface AssertionSubject {
  readonly userId: string;
  readonly sessionId: string;
}

interface Parties {
  readonly issuer: string;
  /** The one service that may accept it. */
  readonly audience: string;
  readonly now: Date;
}

export interface NewAssertion extends AssertionSubject, Parties {
  /** The user who acts as the user of the session. */
  readonly actorId?: string | undefined;
  /** Becomes `jti`. */
  readonly id: string;
}

export interface VerifiedAssertion extends AssertionSubject {
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface AssertionRules extends Parties {
  readonly findKey: FindKey;
}

export const ASSERTION_SECONDS = 60;
const ALGORITHM = 'ES256';

/** Signs an assertion (JWT, RFC 7519), valid for 60 seconds. */
export function signAssertion(
  { userId, sessionId, actorId, issuer, audience, now, id }: NewAssertion,
  { kid, privateKey }: { readonly kid: string; readonly privateKey: KeyObject },
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  return new SignJWT({ sid: sessionId, ...actClaim(actorId) })
    .setProtectedHeader({ alg: ALGORITHM, typ: ASSERTION_TYPE, kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ASSERTION_SECONDS)
    .setJti(id)
    .sign(privateKey);
}

/** Returns `expired` for an assertion that was valid for the audience before, and undefined for any other invalid one. */
export async function verifyAssertion(
  assertion: string,
  { issuer, audience, now, findKey }: AssertionRules,
): Promise<VerifiedAssertion | 'expired' | undefined> {
  try {
    const { payload } = await jwtVerify(assertion, (header) => keyById(header, findKey), {
      algorithms: [ALGORITHM],
      issuer,
      audience,
      typ: ASSERTION_TYPE,
      requiredClaims: ['sub', 'sid', 'iat', 'exp', 'jti'],
      currentDate: now,
    });
    return verifiedOf(payload);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired';
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function verifiedOf({ sub, sid, exp }: JWTPayload): VerifiedAssertion | undefined {
  if (sub === undefined || typeof sid !== 'string' || exp === undefined) return undefined;
  return { userId: sub, sessionId: sid, expiresAt: exp * 1_000 };
}
