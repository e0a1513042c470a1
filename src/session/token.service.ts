import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { LRUCache } from 'lru-cache';
import { createLru } from '../platform/cache';
import { SigningKeysService } from './keys/signing-keys.service';
import { newId } from '../platform/crypto';
import { DatabaseClock } from '../platform/database';
import { platformErrors, ProblemError } from '../platform/errors';
import { andThen, MaybePromise } from '../platform/maybe-promise';
import { SessionKeysUnavailableError, unverifiedIssueTime, unverifiedKid } from './session-jwt';
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

/** Its own `typ` for each kind, so that no token can stand in for another (RFC 8725 §3.11). */
const headerType: Record<TokenType, string> = { access: 'session-access+jwt', refresh: 'session-refresh+jwt' };
/** The counter within what the database's integer holds. */
const VERSION = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([1-9]\d{0,8})$/;
/** Three parts, the last as long as an ES256 signature (RFC 7518 §3.4). */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]{86}$/;
const LONGEST_TOKEN = 2_048;
/** Cookies of one name whose signature is checked; what cannot be a token of ours does not count. */
const MAX_TOKENS = 4;
const REMEMBERED_TOKENS = 10_000;
/** Whether a refresh token's session has ended is the database's to say; its own `exp` is for readers of the token. */
const TOLERANCE_SECONDS: Record<TokenType, number> = { access: 0, refresh: 366 * 86_400 };

/** NumericDate (RFC 7519 §2). */
const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1_000);

/** A copy of its own: a part cut out of a header keeps all of the header in memory. */
const flat = (token: string): string => Buffer.from(token, 'latin1').toString('latin1');

const REQUIRED_CLAIMS = ['uid', 'type', 'ver', 'iat', 'exp', 'jti'];

/** What a signature was found good for; nothing of it is checked yet. */
interface SignedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What jsonwebtoken leaves to its caller: `typ`, `crit` (RFC 7515 §4.1.11), and whether claims are there at all. */
function isOfType(type: TokenType, { header, payload }: SignedToken): boolean {
  if (header['typ'] !== headerType[type] || header['crit'] !== undefined) return false;
  return payload['type'] === type && REQUIRED_CLAIMS.every((name) => name in payload);
}

function claimsOf({ header: { kid }, payload: { uid, ver, exp } }: SignedToken): SessionClaims | undefined {
  const version = typeof ver === 'string' ? VERSION.exec(ver) : null;
  if (typeof kid !== 'string' || typeof uid !== 'string' || !version?.[1] || typeof exp !== 'number') return undefined;
  return { userId: uid, sessionId: version[1], counter: Number(version[2]), kid, expiresAt: exp * 1_000 };
}

/** The key that a text of a token's form names, unverified. */
const kidOf = (token: string): string | undefined =>
  token.length <= LONGEST_TOKEN && TOKEN.test(token) ? unverifiedKid(token) : undefined;

/** When a text says it was issued, in milliseconds since the epoch, unverified; undefined where it is no token. */
export const issuedAtOf = (token: string): number | undefined =>
  token.length <= LONGEST_TOKEN && TOKEN.test(token) ? unverifiedIssueTime(token) : undefined;

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
  private readonly verified: Record<TokenType, LRUCache<string, SessionClaims>> = {
    access: createLru(REMEMBERED_TOKENS),
    refresh: createLru(REMEMBERED_TOKENS),
  };

  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeysService,
    private readonly clock: DatabaseClock,
  ) {}

  async issue(type: TokenType, subject: TokenSubject, issuedAt: Date, expiresAt: Date): Promise<string> {
    const { kid, privateKey } = await this.keys.current('session');
    const claims = {
      uid: subject.userId,
      type,
      ver: `${subject.sessionId}.${subject.counter}`,
      iat: wholeSeconds(issuedAt),
      exp: wholeSeconds(expiresAt),
      jti: newId(),
    };
    const header = { alg: 'ES256', typ: headerType[type] };
    // At once: handing 30 µs to a thread costs the requests' own thread more than that.
    const token = this.jwt.sign(claims, { header, keyid: kid, privateKey });
    // The browser brings it back: the access token with its next request, the refresh token with its next refresh.
    this.verified[type].set(token, { ...subject, kid, expiresAt: claims.exp * 1_000 });
    return token;
  }

  /**
   * The claims of the tokens a request came with, usually one. Of same-named cookies one that does not verify is
   * ignored; of one session the higher counter counts; of different sessions nobody can say whose the request is.
   * Errors: `unauthenticated`, `token_expired`.
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
    if (!first) throw mostTelling(failures);
    if (others.some(({ sessionId }) => sessionId !== first.sessionId)) throw platformErrors.unauthenticated();
    return first;
  }

  /** Drops the claims of a token that was replaced: its signature is verified again should it come back. */
  invalidate(type: TokenType, token: string): void {
    this.verified[type].delete(token);
  }

  /** Rubbish that another site of the domain has set must not crowd out the good one. */
  private async candidates(tokens: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const token of tokens) {
      const kid = kidOf(token);
      if (kid !== undefined && (await this.keys.findPublic('session', kid))) found.push(token);
      if (found.length === MAX_TOKENS) break;
    }
    return found;
  }

  /** Errors: `token_expired` past its `exp`, `unauthenticated` for whatever else is wrong with it. */
  private async verifyOnce(type: TokenType, token: string): Promise<SessionClaims> {
    const known = await this.cachedClaims(type, token);
    if (known) return known;
    const claims = await this.verify(type, token);
    this.verified[type].set(flat(token), claims);
    return claims;
  }

  /** Verified before, by a key that is still in use. Errors: `token_expired`. */
  private cachedClaims(type: TokenType, token: string): MaybePromise<SessionClaims | undefined> {
    const known = this.verified[type].get(token);
    return known && andThen(this.keys.findPublic('session', known.kid), (key) => key && this.unexpired(type, known));
  }

  private unexpired(type: TokenType, claims: SessionClaims): SessionClaims {
    if (claims.expiresAt + TOLERANCE_SECONDS[type] * 1_000 <= this.clock.now()) throw sessionErrors.tokenExpired();
    return claims;
  }

  /** Whatever is wrong with the token itself is one refusal; keys that cannot be read are no fault of it. */
  private async verify(type: TokenType, token: string): Promise<SessionClaims> {
    const signed = await this.verifySignature(token);
    const claims = isOfType(type, signed) ? claimsOf(signed) : undefined;
    if (!claims) throw platformErrors.unauthenticated();
    return this.unexpired(type, claims);
  }

  private async verifySignature(token: string): Promise<SignedToken> {
    try {
      // `exp` is read by the clock of the database, as that of a remembered token is.
      const clockTimestamp = Math.floor(this.clock.now() / 1_000);
      return await this.jwt.verifyAsync<SignedToken>(token, { complete: true, ignoreExpiration: true, clockTimestamp });
    } catch (error) {
      if (error instanceof SessionKeysUnavailableError) throw error.cause;
      throw platformErrors.unauthenticated({ cause: error });
    }
  }
}
