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

/** Fetches a JSON document with the caller's own limits; whatever it throws ends the verification. */
export type FetchDocument = (url: string) => Promise<string>;

export interface IdTokenRules {
  /** One text, or what it must be for these claims (a provider whose issuer names the tenant); undefined refuses. */
  readonly issuer: string | ((claims: JWTPayload) => string | undefined);
  readonly audience: string;
  readonly nonce: string;
}

/** An id_token that proves nothing. Carries no claim of it. */
export class IdTokenError extends Error {
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`The id_token was refused: ${reason}`, { cause });
    this.name = 'IdTokenError';
  }
}

/** Asymmetric ones only: the client secret signs nothing here, and `none` is no algorithm (RFC 8725 §3.1). */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_SUBJECT = 255;

/** Verifies id_tokens of one provider (OpenID Connect Core §3.1.3.7) with its published keys. */
export class IdTokenVerifier {
  private readonly keys: JWTVerifyGetKey;

  constructor(jwksUri: string, fetchDocument: FetchDocument) {
    this.keys = createRemoteJWKSet(new URL(jwksUri), {
      [customFetch]: async (url) => new Response(await fetchDocument(url)),
    });
  }

  /** The claims, with a `sub` that is a text. Errors: `IdTokenError`. */
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

/** OpenID Connect Core §3.1.3.7, points 4 and 5: a token for several parties says whose it is. */
function isPartyOf({ aud, azp }: JWTPayload, audience: string): boolean {
  const isShared = Array.isArray(aud) && aud.length > 1;
  return azp === undefined ? !isShared : azp === audience;
}

export interface UnverifiedIdToken {
  readonly kid: string;
  readonly algorithm: string | undefined;
  readonly audience: string;
}

/** Which key an ID token claims to be signed by, and for whom: unverified. Undefined where it says neither. */
export function unverifiedIdToken(token: string): UnverifiedIdToken | undefined {
  try {
    const { kid, alg: algorithm } = decodeProtectedHeader(token);
    const { aud } = decodeJwt(token);
    return kid !== undefined && typeof aud === 'string' ? { kid, algorithm, audience: aud } : undefined;
  } catch {
    return undefined;
  }
}

/** Whom an ID token names, unverified: for one that was verified before. */
export function unverifiedSubject(token: string): string | undefined {
  try {
    return decodeJwt(token).sub;
  } catch {
    return undefined;
  }
}
