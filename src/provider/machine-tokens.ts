import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { MachineAuthenticator } from '../platform/access';
import { Environment } from '../platform/config';
import { Machine } from '../platform/context';
import { AccessTokenClaims, isAccessToken, SigningKeys, verifyClientToken } from '../platform/crypto';
import { DatabaseClock } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { SessionCookies } from '../session';
import { ClientState } from './clients/client-state';
import { OAuthClient } from './clients/client.entity';
import { ClientUses } from './clients/client-uses';
import { Engine } from './engine/engine';
import { Resources, resourceOf } from './engine/resources';

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;
const MOST_CLIENTS = 1_000;
const USE_NOTED_EVERY_MS = 60_000;

/**
 * Takes access tokens for the service itself that clients got by their own credentials. Signature and lifetime are the
 * token's; whether the client may still act, and may still what the token says, is asked anew at every request.
 */
@Injectable()
export class MachineTokens extends MachineAuthenticator {
  private readonly audience: string;
  /** Clients whose use was written down within the last minute. */
  private readonly noted = new LRUCache<string, true>({ max: MOST_CLIENTS, ttl: USE_NOTED_EVERY_MS });

  constructor(
    private readonly cookies: SessionCookies,
    private readonly keys: SigningKeys,
    private readonly clock: DatabaseClock,
    private readonly engine: Engine,
    private readonly clients: ClientState,
    private readonly resources: Resources,
    private readonly uses: ClientUses,
    { serviceScope }: Environment,
  ) {
    super();
    this.audience = resourceOf(serviceScope);
  }

  async authenticate(request: FastifyRequest): Promise<Machine | undefined> {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined || !isAccessToken(token) || (await this.isBrowser(request))) return undefined;
    const claims = await this.verify(token);
    if (!claims) throw platformErrors.unauthenticated();
    const client = await this.clients.find(claims.clientId);
    if (!client?.grantTypes.includes('client_credentials') || isEnded(claims, client)) {
      throw platformErrors.unauthenticated();
    }
    await this.noteUse(client);
    return { id: client.id, clientId: client.clientId, scopes: await this.standing(claims) };
  }

  private async standing({ clientId, scopes }: AccessTokenClaims): Promise<readonly string[]> {
    const granted = (await this.resources.find(this.audience, clientId))?.scope.split(' ') ?? [];
    return scopes.filter((scope) => granted.includes(scope));
  }

  /** A browser's cookies cannot be talked over. */
  private async isBrowser(request: FastifyRequest): Promise<boolean> {
    const [access, refresh] = [await this.cookies.read(request, 'access'), await this.cookies.read(request, 'refresh')];
    return access.length + refresh.length > 0;
  }

  private verify(token: string): Promise<AccessTokenClaims | undefined> {
    return verifyClientToken(token, {
      issuer: this.engine.issuer,
      audience: this.audience,
      now: new Date(this.clock.now()),
      findKey: (kid) => this.keys.findPublic('oauth', kid),
    });
  }

  private async noteUse({ clientId }: OAuthClient): Promise<void> {
    if (this.noted.has(clientId)) return;
    this.noted.set(clientId, true);
    await this.uses.note(clientId);
  }
}

/** A token names the second it was made in: one of the very second that ended all is taken for an older one. */
const isEnded = ({ issuedAt }: AccessTokenClaims, { tokensEndedAt }: OAuthClient): boolean =>
  tokensEndedAt !== null && issuedAt <= tokensEndedAt.getTime();
