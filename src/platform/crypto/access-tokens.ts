import { decodeProtectedHeader, errors, jwtVerify, JWTPayload } from 'jose';
import { FindKey, keyById } from './key-by-id';

export interface AccessTokenRules {
  readonly issuer: string;
  /** Accepted values of `aud`; a token must name exactly one. */
  readonly audiences: readonly string[];
  readonly now: Date;
  readonly findKey: FindKey;
}

/** Claims of an access token that a client obtained for itself. */
export interface AccessTokenClaims {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch, with a precision of one second. */
  readonly issuedAt: number;
}

/** Claims of any JWT access token. */
export interface AccessToken extends AccessTokenClaims {
  /** The user, or the client if no user is involved (RFC 9068 §2.2). */
  readonly subject: string;
  readonly audience: string;
  readonly tokenId: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  /** Digest of the grant id. Undefined without a user. */
  readonly grantDigest: string | undefined;
  /** The organization that the token is for. */
  readonly organizationId: string | undefined;
  /** How the user had logged in, if the token names it. */
  readonly loginMethod: string | undefined;
  /** Thumbprint of the key that the token is bound to (RFC 9449 §6.1). Undefined for a bearer token. */
  readonly keyThumbprint: string | undefined;
}

/**
 * A private claim with the way the user had logged in: type of the login method, or `oauth:<provider>`. Only in tokens that are for an
 * organization, or of a client that is tied to one.
 */
export const LOGIN_METHOD_CLAIM = 'login_method';
/** A private claim: the digest of the grant id. */
export const GRANT_CLAIM = 'grant';
const ALGORITHM = 'ES256';
/** RFC 9068 §2.1; session tokens have other types. */
const TYPE = 'at+jwt';
const MAX_TOKEN_LENGTH = 8_192;

/** Whether the token claims to be an access token. Does not verify it. */
export function isAccessToken(token: string): boolean {
  if (token.length > MAX_TOKEN_LENGTH) return false;
  try {
    return decodeProtectedHeader(token).typ === TYPE;
  } catch {
    return false;
  }
}

/** Verifies a JWT access token (RFC 9068). Returns undefined if it is invalid. */
export async function verifyAccessToken(token: string, rules: AccessTokenRules): Promise<AccessToken | undefined> {
  try {
    const { payload } = await jwtVerify(token, (header) => keyById(header, rules.findKey), {
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
 * Verifies a JWT access token (RFC 9068) that a client obtained with its own credentials and that is not bound to a
 * key. Returns undefined for any other token.
 */
export async function verifyClientToken(
  token: string,
  rules: AccessTokenRules,
): Promise<AccessTokenClaims | undefined> {
  const verified = await verifyAccessToken(token, rules);
  if (verified?.subject !== verified?.clientId) return undefined;
  // RFC 9449 §7.1: a token bound to a key must not be used as a bearer token.
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
    grantDigest: textOf(payload[GRANT_CLAIM]),
    organizationId: textOf(payload['organization_id']),
    loginMethod: textOf(payload[LOGIN_METHOD_CLAIM]),
    keyThumbprint: cnf === undefined ? undefined : String((cnf as { jkt?: unknown }).jkt),
  };
}

const textOf = (claim: unknown): string | undefined => (typeof claim === 'string' ? claim : undefined);
