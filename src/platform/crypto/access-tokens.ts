import { decodeProtectedHeader, errors, jwtVerify, JWTHeaderParameters, JWTPayload } from 'jose';
import { MaybePromise } from '../maybe-promise';
import type { PublicKey } from './public-jwk';

export interface AccessTokenRules {
  readonly issuer: string;
  /** It may name one of them, and no other. */
  readonly audiences: readonly string[];
  readonly now: Date;
  readonly findKey: (kid: string) => MaybePromise<PublicKey | undefined>;
}

/** What a client may do by itself. */
export interface AccessTokenClaims {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch, to the second. */
  readonly issuedAt: number;
}

/** What a JWT access token says, whoever it was issued for. */
export interface AccessToken extends AccessTokenClaims {
  /** The user, or the client where none is involved (RFC 9068 §2.2). */
  readonly subject: string;
  readonly audience: string;
  readonly tokenId: string;
  /** Seconds. */
  readonly expiresAt: number;
  /** Of the key that the token is bound to (RFC 9449 §6.1); undefined: any bearer may use it. */
  readonly keyThumbprint: string | undefined;
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

/** What a JWT access token (RFC 9068) says; undefined where a rule is broken. */
export async function verifyAccessToken(token: string, rules: AccessTokenRules): Promise<AccessToken | undefined> {
  try {
    const { payload } = await jwtVerify(token, (header) => keyFor(header, rules), {
      algorithms: [ALGORITHM],
      issuer: rules.issuer,
      audience: [...rules.audiences],
      typ: TYPE,
      requiredClaims: ['sub', 'client_id', 'iat', 'exp', 'jti'],
      currentDate: rules.now,
    });
    return tokenOf(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
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
  const verified = await verifyAccessToken(token, rules);
  if (verified?.subject !== verified?.clientId) return undefined;
  // RFC 9449 §7.1: a token bound to a key is worth nothing to a mere bearer.
  return verified?.keyThumbprint === undefined ? verified : undefined;
}

function tokenOf(payload: JWTPayload): AccessToken | undefined {
  const { aud, sub, client_id: clientId, scope = '', iat = 0, exp = 0, jti = '', cnf } = payload;
  if (typeof aud !== 'string' || sub === undefined) return undefined;
  if (typeof clientId !== 'string' || typeof scope !== 'string') return undefined;
  return {
    clientId,
    scopes: scope.split(' ').filter((name) => name !== ''),
    issuedAt: iat * 1_000,
    subject: sub,
    audience: aud,
    tokenId: jti,
    expiresAt: exp,
    keyThumbprint: cnf === undefined ? undefined : String((cnf as { jkt?: unknown }).jkt),
  };
}

/** Only a `kid` of the ring counts; keys named or carried by the header itself are never looked at (RFC 8725 §3.10). */
async function keyFor({ kid }: JWTHeaderParameters, { findKey }: AccessTokenRules): Promise<PublicKey> {
  const key = typeof kid === 'string' ? await findKey(kid) : undefined;
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}
