import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { FetchDocument, ProviderKeys } from './provider-keys';

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
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Explicit types (RFC 8725 §3.11) of tokens about a user, in lower case and without `application/`. */
const OWN_TYPES: ReadonlySet<string> = new Set(['id_token+jwt', 'userinfo+jwt']);
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_SUBJECT = 255;

/** Verifies ID tokens of one provider with its published keys (OpenID Connect Core §3.1.3.7). */
export class IdTokenVerifier {
  private readonly keys: ProviderKeys;

  constructor(jwksUri: string, fetchDocument: FetchDocument) {
    this.keys = new ProviderKeys(jwksUri, fetchDocument);
  }

  /** Returns the claims, with a non-empty `sub`. Errors: `IdTokenError`. */
  async verify(token: string, rules: IdTokenRules): Promise<JWTPayload & { readonly sub: string }> {
    const claims = await this.verifySignature(token, {
      audience: rules.audience,
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
    });
    checkIssuer(claims, rules);
    if (claims['nonce'] !== rules.nonce) throw new IdTokenError('nonce');
    if (!isPartyOf(claims, rules.audience)) throw new IdTokenError('azp');
    const { sub } = claims;
    if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT) throw new IdTokenError('sub');
    return { ...claims, sub };
  }

  /**
   * The claims of a signed response of the userinfo endpoint, which must have `iss` and `aud`: otherwise, any token that the
   * provider signs would do (OpenID Connect Core §5.3.2). The caller compares `sub`. Errors: `IdTokenError`.
   */
  async verifyUserinfo(token: string, rules: Omit<IdTokenRules, 'nonce'>): Promise<JWTPayload> {
    const claims = await this.verifySignature(token, {
      audience: rules.audience,
      requiredClaims: ['iss', 'sub', 'aud'],
    });
    checkIssuer(claims, rules);
    return claims;
  }

  /** Rejects logout tokens and security events, too, which the provider signs with the same keys (RFC 8725 §3.11). */
  private async verifySignature(token: string, rules: JWTVerifyOptions): Promise<JWTPayload> {
    try {
      const claims = await this.keys.verify(token, {
        ...rules,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      checkType(decodeProtectedHeader(token).typ);
      if (claims['events'] !== undefined) throw new IdTokenError('events');
      return claims;
    } catch (error) {
      if (error instanceof errors.JWTClaimValidationFailed) throw new IdTokenError(error.claim);
      throw error instanceof errors.JOSEError ? new IdTokenError(error.code) : error;
    }
  }
}

/** Most providers name no type, or `JWT`. An explicit one such as `at+jwt` or `logout+jwt` is that of a token for another use. */
function checkType(typ: string | undefined): void {
  const name = typ?.toLowerCase().replace(/^application\//, '');
  if (name?.includes('+') && !OWN_TYPES.has(name)) throw new IdTokenError('typ');
}

function checkIssuer(claims: JWTPayload, rules: Pick<IdTokenRules, 'issuer'>): void {
  const issuer = typeof rules.issuer === 'string' ? rules.issuer : rules.issuer(claims);
  if (issuer === undefined || claims.iss !== issuer) throw new IdTokenError('iss');
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
