import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { LRUCache } from 'lru-cache';
import { createLru } from '../../platform/cache';
import { SigningKeysService } from '../keys/signing-keys.service';
import { actClaim, newId } from '../../platform/crypto';
import { DatabaseClock } from '../../platform/database';
import { platformErrors, ProblemError } from '../../platform/errors';
import { andThen, MaybePromise } from '../../platform/util';
import { SessionKeysUnavailableError, unverifiedIssueTime, unverifiedKid } from './session-jwt';
import { sessionErrors } from '../store/session.errors';

export type TokenType = 'access' | 'refresh';

/** The claims of a session token. Everything else about the session comes from the database. */
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
  /** The user who acts as the user of the session. */
  readonly actorId?: string | null | undefined;
}

/** A separate `typ` per kind, so that no token can replace another (RFC 8725 §3.11). */
const headerType: Record<TokenType, string> = { access: 'session-access+jwt', refresh: 'session-refresh+jwt' };
/** The counter stays within the database's integer. */
const VERSION = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([1-9]\d{0,8})$/;
/** Three parts, the last with the length of an ES256 signature (RFC 7518 §3.4). */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]{86}$/;
const MAX_TOKEN_LENGTH = 2_048;
/** The maximum number of same-named cookies to verify. Text that cannot be a token of ours does not count. */
const MAX_TOKENS = 4;
const REMEMBERED_TOKENS = 10_000;
/**
 * The database decides whether a refresh token's session has ended. The `exp` of a refresh token only informs clients.
 */
const TOLERANCE_SECONDS: Record<TokenType, number> = { access: 0, refresh: 366 * 86_400 };

/** NumericDate (RFC 7519 §2). */
const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1_000);

/** Copies the string, because a substring of a header keeps the whole header in memory. */
const flat = (token: string): string => Buffer.from(token, 'latin1').toString('latin1');

const REQUIRED_CLAIMS = ['uid', 'type', 'ver', 'iat', 'exp', 'jti'];

/** A token with a verified signature and unchecked claims. */
interface SignedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Checks what jsonwebtoken leaves to the caller: `typ`, `crit` (RFC 7515 §4.1.11) and the presence of claims. */
function isOfType(type: TokenType, { header, payload }: SignedToken): boolean {
  if (header['typ'] !== headerType[type] || header['crit'] !== undefined) return false;
  return payload['type'] === type && REQUIRED_CLAIMS.every((name) => name in payload);
}

function claimsOf({ header: { kid }, payload: { uid, ver, exp } }: SignedToken): SessionClaims | undefined {
  const version = typeof ver === 'string' ? VERSION.exec(ver) : null;
  if (typeof kid !== 'string' || typeof uid !== 'string' || !version?.[1] || typeof exp !== 'number') return undefined;
  return { userId: uid, sessionId: version[1], counter: Number(version[2]), kid, expiresAt: exp * 1_000 };
}

/** The `kid` of a text that looks like a token, unverified. */
const kidOf = (token: string): string | undefined =>
  token.length <= MAX_TOKEN_LENGTH && TOKEN.test(token) ? unverifiedKid(token) : undefined;

/** The issue time of a text that looks like a token, in milliseconds since the epoch, unverified, or undefined. */
export const issuedAtOf = (token: string): number | undefined =>
  token.length <= MAX_TOKEN_LENGTH && TOKEN.test(token) ? unverifiedIssueTime(token) : undefined;

/** Prefers a service failure over an expired token, and an expired token over an invalid one. */
function mostSpecific(failures: readonly Error[]): Error {
  const codeOf = (error: Error): string | undefined => (error instanceof ProblemError ? error.code : undefined);
  const ownFault = failures.find((error) => codeOf(error) !== 'unauthenticated' && codeOf(error) !== 'token_expired');
  const expired = failures.find((error) => codeOf(error) === 'token_expired');
  return ownFault ?? expired ?? platformErrors.unauthenticated();
}

/** Issues and verifies the session's JWTs (ES256). Does not check whether the session is still active. */
@Injectable()
export class TokenService {
  /**
   * Tokens issued or verified here, so that a signature is verified once. The session is still checked at every use.
   * None is longer than `MAX_TOKEN_LENGTH`.
   */
  private readonly verified: Record<TokenType, LRUCache<string, SessionClaims>> = {
    access: createLru(REMEMBERED_TOKENS),
    refresh: createLru(REMEMBERED_TOKENS),
  };

  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeysService,
    private readonly clock: DatabaseClock,
  ) {}

  async issue(
    type: TokenType,
    { actorId, ...subject }: TokenSubject,
    issuedAt: Date,
    expiresAt: Date,
  ): Promise<string> {
    const { kid, privateKey } = await this.keys.current('session');
    const claims = {
      uid: subject.userId,
      type,
      ver: `${subject.sessionId}.${subject.counter}`,
      iat: wholeSeconds(issuedAt),
      exp: wholeSeconds(expiresAt),
      jti: newId(),
      ...actClaim(actorId),
    };
    const header = { alg: 'ES256', typ: headerType[type] };
    // Synchronous: a signature takes 30 µs, and passing it to a worker thread costs more.
    const token = this.jwt.sign(claims, { header, keyid: kid, privateKey });
    // The browser sends it back: the access token with its next request, the refresh token with its next refresh.
    this.verified[type].set(token, { ...subject, kid, expiresAt: claims.exp * 1_000 });
    return token;
  }

  /**
   * Returns the claims of the request's tokens, usually one. Ignores same-named cookies that do not verify. For one
   * session the higher counter wins. Tokens of different sessions are ambiguous, so they are rejected.
   * Throws `unauthenticated` or `token_expired`.
   */
  verifyOne(type: TokenType, tokens: readonly string[]): MaybePromise<SessionClaims> {
    const [only] = tokens;
    const known = tokens.length === 1 && only !== undefined ? this.cachedClaims(type, only) : undefined;
    return andThen(known, (claims) => claims ?? this.verifyBest(type, tokens));
  }

  private async verifyBest(type: TokenType, tokens: readonly string[]): Promise<SessionClaims> {
    const check = (token: string): Promise<SessionClaims> => this.verifyOnce(type, token);
    const candidates = await this.candidates(tokens);
    const results = await Promise.allSettled(candidates.map(check));
    const verified = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    const [first, ...others] = verified.sort((one, other) => other.counter - one.counter);
    if (!first) throw mostSpecific(failures);
    if (others.some(({ sessionId }) => sessionId !== first.sessionId)) throw platformErrors.unauthenticated();
    return first;
  }

  /** The users that tokens with a valid signature name, whether or not the tokens have expired. */
  async usersOf(type: TokenType, tokens: readonly string[]): Promise<string[]> {
    const candidates = await this.candidates(tokens);
    const found = await Promise.all(candidates.map((token) => this.signedClaims(type, token)));
    return found.flatMap((claims) => claims?.userId ?? []);
  }

  /** Drops the cached claims of a replaced token. Its signature is verified again if it comes back. */
  invalidate(type: TokenType, token: string): void {
    this.verified[type].delete(token);
  }

  /**
   * Skips tokens without a known key, so that cookies set by another site of the domain cannot displace the valid one.
   */
  private async candidates(tokens: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const token of tokens) {
      const kid = kidOf(token);
      if (kid !== undefined && (await this.keys.findPublic('session', kid))) found.push(token);
      if (found.length === MAX_TOKENS) break;
    }
    return found;
  }

  /** Throws `token_expired` after `exp`, and `unauthenticated` for any other defect. */
  private async verifyOnce(type: TokenType, token: string): Promise<SessionClaims> {
    const claims = await this.signedClaims(type, token);
    if (!claims) throw platformErrors.unauthenticated();
    return this.unexpired(type, claims);
  }

  /** Returns the claims of a token with a known key, or undefined if it has a defect other than its age. */
  private async signedClaims(type: TokenType, token: string): Promise<SessionClaims | undefined> {
    const known = this.verified[type].get(token);
    if (known && (await this.keys.findPublic('session', known.kid))) return known;
    const signed = await this.verifySignature(token);
    const claims = signed && isOfType(type, signed) ? claimsOf(signed) : undefined;
    if (claims) this.verified[type].set(flat(token), claims);
    return claims;
  }

  /** Returns the claims if the token was verified before and its key is still in use. Throws `token_expired`. */
  private cachedClaims(type: TokenType, token: string): MaybePromise<SessionClaims | undefined> {
    const known = this.verified[type].get(token);
    return known && andThen(this.keys.findPublic('session', known.kid), (key) => key && this.unexpired(type, known));
  }

  private unexpired(type: TokenType, claims: SessionClaims): SessionClaims {
    if (claims.expiresAt + TOLERANCE_SECONDS[type] * 1_000 <= this.clock.now()) throw sessionErrors.tokenExpired();
    return claims;
  }

  /** Any defect of the token gives undefined. Unreadable keys are not the token's fault. */
  private async verifySignature(token: string): Promise<SignedToken | undefined> {
    try {
      // Checks `exp` against the database's clock, the same as for cached tokens.
      const clockTimestamp = Math.floor(this.clock.now() / 1_000);
      return await this.jwt.verifyAsync<SignedToken>(token, { complete: true, ignoreExpiration: true, clockTimestamp });
    } catch (error) {
      if (error instanceof SessionKeysUnavailableError) throw error.cause;
      return undefined;
    }
  }
}
