import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';

/** Fetches a JSON document within the caller's own limits. What it throws, `verify` throws. */
export type FetchDocument = (url: string) => Promise<string>;

export interface IdTokenRules {
  /**
   * The issuer, or a function of the claims for providers whose issuer names the tenant; undefined rejects the token.
   */
  readonly issuer: string | ((claims: JWTPayload) => string | undefined);
  readonly audience: string;
  readonly nonce: string;
}

/** A rejected ID token. Contains none of its claims. */
export class IdTokenError extends Error {
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`The ID token was rejected: ${reason}`, { cause });
    this.name = 'IdTokenError';
  }
}

/** Asymmetric algorithms only: no client secret signs here, and `none` is never accepted (RFC 8725 §3.1). */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_SUBJECT = 255;

/** Verifies ID tokens of one provider with its published keys (OpenID Connect Core §3.1.3.7). */
export class IdTokenVerifier {
  private readonly keys: JWTVerifyGetKey;

  constructor(jwksUri: string, fetchDocument: FetchDocument) {
    this.keys = createRemoteJWKSet(new URL(jwksUri), {
      [customFetch]: async (url) => new Response(await fetchDocument(url)),
    });
  }

  /** Returns the claims, with a non-empty `sub`. Errors: `IdTokenError`. */
  async verify(token: string, rules: IdTokenRules): Promise<JWTPayload & { readonly sub: string }> {
    const claims = await this.verifySignature(token, rules);
    const issuer = typeof rules.issuer === 'string' ? rules.issuer : rules.issuer(claims);
    if (issuer === undefined || claims.iss !== issuer) throw new IdTokenError('iss');
    if (claims['nonce'] !== rules.nonce) throw new IdTokenError('nonce');
    if (!isPartyOf(claims, rules.audience)) throw new IdTokenError('azp');
    const { sub } = claims;
    if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT) throw new IdTokenError('sub');
    return { ...claims, sub };
  }

  private async verifySignature(token: string, { audience }: IdTokenRules): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, this.keys, {
        algorithms: ALGORITHMS,
        audience,
        requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTClaimValidationFailed) throw new IdTokenError(error.claim);
      throw error instanceof errors.JOSEError ? new IdTokenError(error.code) : error;
    }
  }
}

/** OpenID Connect Core §3.1.3.7, points 4 and 5: a token with several audiences must name its authorized party. */
function isPartyOf({ aud, azp }: JWTPayload, audience: string): boolean {
  const isShared = Array.isArray(aud) && aud.length > 1;
  return azp === undefined ? !isShared : azp === audience;
}

export interface UnverifiedIdToken {
  readonly kid: string;
  readonly algorithm: string | undefined;
  readonly audience: string;
}

/** Reads the key id and the audience of an ID token without verifying it. Returns undefined if one is missing. */
export function unverifiedIdToken(token: string): UnverifiedIdToken | undefined {
  try {
    const { kid, alg: algorithm } = decodeProtectedHeader(token);
    const { aud } = decodeJwt(token);
    return kid !== undefined && typeof aud === 'string' ? { kid, algorithm, audience: aud } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads `sub` without verification, for an ID token that was verified before. */
export function unverifiedSubject(token: string): string | undefined {
  try {
    return decodeJwt(token).sub;
  } catch {
    return undefined;
  }
}
