import { Injectable } from '@nestjs/common';
import { Environment } from '../platform/config';
import { Caller } from '../platform/context';
import { AssertionSubject, newId, signAssertion, VerifiedAssertion, verifyAssertion } from '../platform/crypto';
import { DatabaseClock } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { SigningKeysService } from './keys/signing-keys.service';
import { SessionAuthenticatorService, TokenHolder } from './session-authenticator.service';
import { sessionIssuer } from './tokens/session-jwt';
import { sessionErrors } from './store/session.errors';

/**
 * Assertions state a session to one other service, for 60 seconds. They are no session tokens: no route of this service
 * accepts one as authentication. Their `typ` distinguishes them (RFC 8725 §3.11).
 */
@Injectable()
export class SessionAssertionsService {
  private readonly issuer: string;

  constructor(
    private readonly keys: SigningKeysService,
    private readonly clock: DatabaseClock,
    private readonly authenticator: SessionAuthenticatorService,
    { serviceScope }: Environment,
  ) {
    this.issuer = sessionIssuer(serviceScope);
  }

  /** @param audience the resource of the service that may accept it */
  async issue(
    { userId, sessionId, actor }: Pick<Caller, keyof AssertionSubject | 'actor'>,
    audience: string,
  ): Promise<string> {
    const now = new Date(this.clock.now());
    const actorId = actor?.userId;
    const assertion = { userId, sessionId, actorId, issuer: this.issuer, audience, now, id: newId() };
    return signAssertion(assertion, await this.keys.current('session'));
  }

  /**
   * Authenticates by an assertion for the audience. Reads session and user from the database, so that the result
   * includes every change committed before. Errors: `unauthenticated`, `token_expired`, `session_revoked`.
   */
  async authenticate(assertion: string, audience: string): Promise<TokenHolder> {
    const { expiresAt, ...subject } = await this.verify(assertion, audience);
    return { caller: await this.authenticator.authenticateSession(subject), expiresAt };
  }

  private async verify(assertion: string, audience: string): Promise<VerifiedAssertion> {
    const verified = await verifyAssertion(assertion, {
      issuer: this.issuer,
      audience,
      now: new Date(this.clock.now()),
      findKey: (kid) => this.keys.findPublic('session', kid),
    });
    if (verified === 'expired') throw sessionErrors.tokenExpired();
    if (!verified) throw platformErrors.unauthenticated();
    return verified;
  }
}
