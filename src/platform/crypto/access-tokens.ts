import { decodeProtectedHeader, errors, jwtVerify, JWTHeaderParameters, JWTPayload } from 'jose';
import type { PublicKey } from './signing-keys';

export interface AccessTokenRules {
  readonly issuer: string;
  /** The only one it may name. */
  readonly audience: string;
  readonly now: Date;
  readonly findKey: (kid: string) => Promise<PublicKey | undefined>;
}

/** What a client may do by itself. */
export interface AccessTokenClaims {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch, to the second. */
  readonly issuedAt: number;
}

const ALGORITHM = 'ES256';
/** RFC 9068 §2.1. Session tokens have types of their own. */
const TYPE = 'at+jwt';
const LONGEST_TOKEN = 8_192;

/** By what the token calls itself, unverified. */
export function isAccessToken(token: string): boolean {
  if (token.length > LONGEST_TOKEN) return false;
  try {
    return decodeProtectedHeader(token).typ === TYPE;
  } catch {
    return false;
  }
}

/**
 * The claims of a JWT access token (RFC 9068) that a client got by its own credentials and that any bearer may use;
 * undefined for every other one, and where a rule is broken.
 */
export async function verifyClientToken(
  token: string,
  rules: AccessTokenRules,
): Promise<AccessTokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, (header) => keyFor(header, rules), {
      algorithms: [ALGORITHM],
      issuer: rules.issuer,
      audience: rules.audience,
      typ: TYPE,
      requiredClaims: ['sub', 'client_id', 'iat', 'exp', 'jti'],
      currentDate: rules.now,
    });
    return claimsOf(payload, rules);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function claimsOf(payload: JWTPayload, { audience }: AccessTokenRules): AccessTokenClaims | undefined {
  const { aud, sub, client_id: clientId, scope = '', iat = 0, cnf } = payload;
  if (aud !== audience || typeof clientId !== 'string' || typeof scope !== 'string') return undefined;
  // RFC 9068 §2.2: where a user is involved, the subject is the user.
  if (sub !== clientId) return undefined;
  // RFC 9449 §7.1: a token bound to a key is worth nothing to a mere bearer.
  if (cnf !== undefined) return undefined;
  return { clientId, scopes: scope.split(' ').filter((name) => name !== ''), issuedAt: iat * 1_000 };
}

/** Only a `kid` of the ring counts; keys named or carried by the header itself are never looked at (RFC 8725 §3.10). */
async function keyFor({ kid }: JWTHeaderParameters, { findKey }: AccessTokenRules): Promise<PublicKey> {
  const key = typeof kid === 'string' ? await findKey(kid) : undefined;
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}
