import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { OAuthClientAuthenticator } from '../../platform/access';
import { Environment } from '../../platform/config';
import { OAuthClientPrincipal } from '../../platform/context';
import { SigningKeysService, SessionCookiesService } from '../../session';
import { AccessTokenClaims, isAccessToken, verifyClientToken } from '../../platform/crypto';
import { DatabaseClock } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { ClientCache } from './clients/client.cache';
import { ClientUsageService } from './clients/client-usage.service';
import { OidcEngineService } from './engine/oidc-engine.service';
import { resourceOf } from './clients/resource-name';
import { isEnded } from './engine/resource-introspection.service';
import { ResourcesService } from './engine/resources.service';

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * Accepts access tokens for this service that OAuth clients obtained with their own credentials. The token proves its
 * signature and lifetime. Whether the client is still allowed to act and still has the token's scopes is checked on
 * every request.
 */
@Injectable()
export class ClientTokenService extends OAuthClientAuthenticator {
  private readonly audience: string;

  constructor(
    private readonly cookies: SessionCookiesService,
    private readonly keys: SigningKeysService,
    private readonly clock: DatabaseClock,
    private readonly engine: OidcEngineService,
    private readonly clients: ClientCache,
    private readonly resources: ResourcesService,
    private readonly uses: ClientUsageService,
    { serviceScope }: Environment,
  ) {
    super();
    this.audience = resourceOf(serviceScope);
  }

  async authenticate(request: FastifyRequest): Promise<OAuthClientPrincipal | undefined> {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined || !isAccessToken(token) || (await this.isBrowser(request))) return undefined;
    const claims = await this.verify(token);
    if (!claims) throw platformErrors.unauthenticated();
    const client = await this.clients.get(claims.clientId);
    if (!client?.grantTypes.includes('client_credentials') || isEnded(claims, client)) {
      throw platformErrors.unauthenticated();
    }
    await this.uses.note(client.clientId, 'request');
    return { id: client.id, clientId: client.clientId, scopes: await this.currentScopes(claims) };
  }

  private async currentScopes({ clientId, scopes }: AccessTokenClaims): Promise<readonly string[]> {
    const granted = (await this.resources.find(this.audience, clientId))?.scope.split(' ') ?? [];
    return scopes.filter((scope) => granted.includes(scope));
  }

  /** A request with a session cookie is a browser's, and the cookie takes precedence over the token. */
  private async isBrowser(request: FastifyRequest): Promise<boolean> {
    const [access, refresh] = [await this.cookies.read(request, 'access'), await this.cookies.read(request, 'refresh')];
    return access.length + refresh.length > 0;
  }

  private verify(token: string): Promise<AccessTokenClaims | undefined> {
    return verifyClientToken(token, {
      issuer: this.engine.issuer,
      audiences: [this.audience],
      now: new Date(this.clock.now()),
      findKey: (kid) => this.keys.findPublic('oauth', kid),
    });
  }
}
