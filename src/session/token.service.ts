import { Injectable } from '@nestjs/common';
import { decodeProtectedHeader, errors, jwtVerify, JWTHeaderParameters, JWTPayload } from 'jose';
import { GrowingLru } from '../platform/cache';
import { Environment } from '../platform/config';
import { newId, PublicKey, signEs256Jwt, SigningKeys } from '../platform/crypto';
import { DatabaseClock } from '../platform/database';
import { platformErrors, ProblemError } from '../platform/errors';
import { sessionErrors } from './session.errors';

export type TokenType = 'access' | 'refresh';

/** What a session token says; everything else about the session is asked of the database. */
export interface SessionClaims {
  readonly userId: string;
  readonly sessionId: string;
  readonly counter: number;
  readonly kid: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface TokenSubject {
  readonly userId: string;
  readonly sessionId: string;
  readonly counter: number;
}

const ALGORITHM = 'ES256';
/** Its own `typ` for each kind, so that no token can stand in for another (RFC 8725 §3.11). */
const headerType: Record<TokenType, string> = { access: 'session-access+jwt', refresh: 'session-refresh+jwt' };
/** The counter within what the database's integer holds. */
const VERSION = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([1-9]\d{0,8})$/;
/** Three parts, the last as long as an ES256 signature (RFC 7518 §3.4). */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]{86}$/;
const LONGEST_TOKEN = 2_048;
/** Cookies of one name whose signature is checked; what cannot be a token of ours does not count. */
const MOST_TOKENS = 4;
const REMEMBERED_TOKENS = 10_000;
/** Whether a refresh token's session has ended is the database's to say; its own `exp` is for readers of the token. */
const TOLERANCE_SECONDS: Record<TokenType, number> = { access: 0, refresh: 366 * 86_400 };

/** NumericDate (RFC 7519 §2). */
const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1_000);

/** A copy of its own: a part cut out of a header keeps all of the header in memory. */
const flat = (token: string): string => Buffer.from(token, 'latin1').toString('latin1');

function claimsOf(payload: JWTPayload, kid: string): SessionClaims | undefined {
  const { uid, ver, exp } = payload;
  const version = typeof ver === 'string' ? VERSION.exec(ver) : null;
  if (typeof uid !== 'string' || !version?.[1] || exp === undefined) return undefined;
  return { userId: uid, sessionId: version[1], counter: Number(version[2]), kid, expiresAt: exp * 1_000 };
}

/** The key that a text of a token's form names, unverified. */
function kidOf(token: string): string | undefined {
  if (token.length > LONGEST_TOKEN || !TOKEN.test(token)) return undefined;
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

/** A token that was good once says more about the caller than rubbish beside it, and a service that failed more than both. */
function mostTelling(failures: readonly Error[]): Error {
  const codeOf = (error: Error): string | undefined => (error instanceof ProblemError ? error.code : undefined);
  const ownFault = failures.find((error) => codeOf(error) !== 'unauthenticated' && codeOf(error) !== 'token_expired');
  const expired = failures.find((error) => codeOf(error) === 'token_expired');
  return ownFault ?? expired ?? platformErrors.unauthenticated();
}

/** Makes and checks the session's JWTs (ES256). Signature alone; whether the session still stands is asked elsewhere. */
@Injectable()
export class TokenService {
  /** Tokens made or verified here: a signature is checked once, the session at every use. None is longer than `LONGEST_TOKEN`. */
  private readonly verified: Record<TokenType, GrowingLru<SessionClaims>> = {
    access: new GrowingLru(REMEMBERED_TOKENS),
    refresh: new GrowingLru(REMEMBERED_TOKENS),
  };
  private readonly issuer: string;

  constructor(
    private readonly keys: SigningKeys,
    private readonly clock: DatabaseClock,
    environment: Environment,
  ) {
    this.issuer = `urn:castellan:${environment.serviceScope}`;
  }

  async issue(type: TokenType, subject: TokenSubject, issuedAt: Date, expiresAt: Date): Promise<string> {
    const { kid, privateKey } = await this.keys.current('session');
    const claims = {
      uid: subject.userId,
      type,
      ver: `${subject.sessionId}.${subject.counter}`,
      iat: wholeSeconds(issuedAt),
      exp: wholeSeconds(expiresAt),
      iss: this.issuer,
      jti: newId(),
    };
    const token = signEs256Jwt({ typ: headerType[type], kid }, claims, privateKey);
    // The browser brings it back: the access token with its next request, the refresh token with its next refresh.
    this.verified[type].set(token, { ...subject, kid, expiresAt: claims.exp * 1_000 });
    return token;
  }

  /**
   * The claims of the tokens a request came with, usually one. Of same-named cookies one that does not verify is
   * ignored; of one session the higher counter counts; of different sessions nobody can say whose the request is.
   * Errors: `unauthenticated`, `token_expired`.
   */
  async verifyOne(type: TokenType, tokens: readonly string[]): Promise<SessionClaims> {
    const [only] = tokens;
    const known = tokens.length === 1 && only !== undefined ? this.peek(type, only) : undefined;
    return known ?? this.verifyBest(type, tokens);
  }

  private async verifyBest(type: TokenType, tokens: readonly string[]): Promise<SessionClaims> {
    const check = (token: string): Promise<SessionClaims> => this.verifyOnce(type, token);
    const candidates = await this.candidates(tokens);
    const results = await Promise.allSettled(candidates.map(check));
    const verified = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    const [first, ...others] = verified.sort((one, other) => other.counter - one.counter);
    if (!first) throw mostTelling(failures);
    if (others.some(({ sessionId }) => sessionId !== first.sessionId)) throw platformErrors.unauthenticated();
    return first;
  }

  /** What was verified before and whose key is still in use, where both can be told without a wait. Errors: `token_expired`. */
  peek(type: TokenType, token: string): SessionClaims | undefined {
    const known = this.verified[type].get(token);
    return known && this.keys.isKnown('session', known.kid) ? this.unexpired(type, known) : undefined;
  }

  /** Of a token that others have taken the place of; whoever still comes with it has its signature checked anew. */
  forget(type: TokenType, token: string): void {
    this.verified[type].delete(token);
  }

  /** Rubbish that another site of the domain has set must not crowd out the good one. */
  private async candidates(tokens: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const token of tokens) {
      const kid = kidOf(token);
      if (kid !== undefined && (await this.keys.findPublic('session', kid))) found.push(token);
      if (found.length === MOST_TOKENS) break;
    }
    return found;
  }

  /** Errors: `token_expired` past its `exp`, `unauthenticated` for whatever else is wrong with it. */
  private async verifyOnce(type: TokenType, token: string): Promise<SessionClaims> {
    const known = this.verified[type].get(token);
    if (known && (await this.keys.findPublic('session', known.kid))) return this.unexpired(type, known);
    const claims = await this.verify(type, token);
    this.verified[type].set(flat(token), claims);
    return claims;
  }

  private unexpired(type: TokenType, claims: SessionClaims): SessionClaims {
    if (claims.expiresAt + TOLERANCE_SECONDS[type] * 1_000 <= this.clock.now()) throw sessionErrors.tokenExpired();
    return claims;
  }

  private async verify(type: TokenType, token: string): Promise<SessionClaims> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, (header) => this.keyFor(header), {
        algorithms: [ALGORITHM],
        issuer: this.issuer,
        typ: headerType[type],
        requiredClaims: ['uid', 'type', 'ver', 'iat', 'exp', 'jti'],
        currentDate: new Date(this.clock.now()),
        clockTolerance: TOLERANCE_SECONDS[type],
      });
      const claims = payload['type'] === type ? claimsOf(payload, protectedHeader.kid ?? '') : undefined;
      if (claims) return claims;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw sessionErrors.tokenExpired({ cause: error });
      if (!(error instanceof errors.JOSEError) && !(error instanceof TypeError)) throw error;
    }
    throw platformErrors.unauthenticated();
  }

  /** Only a `kid` of the ring counts; keys named or carried by the header itself are never looked at (RFC 8725 §3.10). */
  private async keyFor({ kid }: JWTHeaderParameters): Promise<PublicKey> {
    if (typeof kid !== 'string') throw new errors.JWSInvalid('no key id');
    const key = await this.keys.findPublic('session', kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}
