import { Injectable } from '@nestjs/common';
import { SigningKeysService } from '../../../session';
import { AccessToken, verifyAccessToken } from '../../../platform/crypto';
import { DatabaseClock } from '../../../platform/database';
import { IssuerService } from '../../../platform/http';
import { UserCache } from '../../../users';
import { ClientCache } from '../clients/client.cache';
import { OAuthClient } from '../clients/client.entity';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { ResourcesService } from './resources.service';

const INACTIVE = { active: false };

/**
 * Introspection of JWT access tokens by a resource server (RFC 7662). A client asks about tokens of the resources that it
 * may introspect, whichever client they were issued to. The answer is as of now: a token whose client, user, grant or last
 * permission is gone is not active, although it has not expired.
 */
@Injectable()
export class ResourceIntrospectionService {
  constructor(
    private readonly clients: ClientCache,
    private readonly users: UserCache,
    private readonly resources: ResourcesService,
    private readonly artifacts: OidcModelRepository,
    private readonly keys: SigningKeysService,
    private readonly clock: DatabaseClock,
    private readonly issuer: IssuerService,
  ) {}

  async introspect(clientId: string, token: string): Promise<object> {
    const audiences = (await this.clients.get(clientId))?.introspectionResources ?? [];
    if (audiences.length === 0) return INACTIVE;
    const verified = await verifyAccessToken(token, {
      issuer: this.issuer.url,
      audiences,
      now: new Date(this.clock.now()),
      findKey: (kid) => this.keys.findPublic('oauth', kid),
    });
    const scope = verified && (await this.currentScope(verified));
    return verified && scope ? answerOf(verified, scope, this.issuer.url) : INACTIVE;
  }

  /** What the token still allows; undefined where it allows nothing any more. */
  private async currentScope({ clientId, subject, ...token }: AccessToken): Promise<string | undefined> {
    const client = await this.clients.get(clientId);
    const userId = subject === clientId ? undefined : subject;
    if (!client || isEnded(token, client) || !(await this.isGranted(clientId, userId))) return undefined;
    const permitted = (await this.resources.find(token.audience, clientId, userId))?.scope.split(' ') ?? [];
    return token.scopes.filter((scope) => permitted.includes(scope)).join(' ') || undefined;
  }

  private async isGranted(clientId: string, userId: string | undefined): Promise<boolean> {
    if (userId === undefined) return true;
    if ((await this.users.get(userId))?.status !== 'active') return false;
    return this.artifacts.hasGrant(clientId, userId);
  }
}

/** A token names the second it was made in: one of the very second that ended all is taken for an older one. */
export const isEnded = ({ issuedAt }: Pick<AccessToken, 'issuedAt'>, { tokensEndedAt }: OAuthClient): boolean =>
  tokensEndedAt !== null && issuedAt <= tokensEndedAt.getTime();

function answerOf(token: AccessToken, scope: string, issuer: string): object {
  const { clientId, subject, audience, tokenId, issuedAt, expiresAt, keyThumbprint } = token;
  return {
    active: true,
    scope,
    client_id: clientId,
    sub: subject,
    aud: audience,
    iss: issuer,
    jti: tokenId,
    iat: issuedAt / 1_000,
    exp: expiresAt,
    token_type: keyThumbprint === undefined ? 'Bearer' : 'DPoP',
    ...(keyThumbprint !== undefined && { cnf: { jkt: keyThumbprint } }),
  };
}
