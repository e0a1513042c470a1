import { Injectable } from '@nestjs/common';
import { SigningKeysService } from '../../../session';
import { AccessToken, verifyAccessToken } from '../../../platform/crypto';
import { DatabaseClock } from '../../../platform/database';
import { IssuerService } from '../../../platform/http';
import { UserCache } from '../../../users';
import { ClientCache } from '../clients/client.cache';
import { OAuthClient } from '../clients/client.entity';
import { ClientAdmissionService } from '../claims/client-admission.service';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { ResourcesService } from './resources.service';

const INACTIVE = { active: false };

/**
 * Introspection of JWT access tokens by a resource server (RFC 7662). A client can introspect tokens of the resources
 * that it is allowed for, of any client. The response reflects the current state: a token is not active if its client,
 * user, grant or last permission is gone, even before it expires.
 */
@Injectable()
export class ResourceIntrospectionService {
  constructor(
    private readonly clients: ClientCache,
    private readonly users: UserCache,
    private readonly admission: ClientAdmissionService,
    private readonly resources: ResourcesService,
    private readonly artifacts: OidcModelRepository,
    private readonly keys: SigningKeysService,
    private readonly clock: DatabaseClock,
    private readonly issuer: IssuerService,
  ) {}

  async introspect(clientId: string, token: string): Promise<object> {
    const audiences = await this.resources.introspectedBy(clientId);
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

  /** The scopes that the token still has. Undefined if there are none. */
  private async currentScope({ clientId, subject, ...token }: AccessToken): Promise<string | undefined> {
    const client = await this.clients.get(clientId);
    const userId = subject === clientId ? undefined : subject;
    if (!client || isEnded(token, client)) return undefined;
    if (userId !== undefined && !(await this.isGranted(userId, { clientId, ...token }))) return undefined;
    const permitted = (await this.resources.find(token.audience, clientId, userId))?.scope.split(' ') ?? [];
    return token.scopes.filter((scope) => permitted.includes(scope)).join(' ') || undefined;
  }

  /** The grant belongs to one login, and ends with its session. */
  private async isGranted(userId: string, token: Omit<AccessToken, 'subject'>): Promise<boolean> {
    const { grantDigest } = token;
    if (grantDigest === undefined || (await this.users.get(userId))?.status !== 'active') return false;
    if (!(await this.admission.admits(token, userId, 'introspection'))) return false;
    return (await this.artifacts.find('Grant', grantDigest)) !== undefined;
  }
}

/** Tokens are dated in whole seconds, so a token of the same second counts as ended. */
export const isEnded = ({ issuedAt }: Pick<AccessToken, 'issuedAt'>, { tokensEndedAt }: OAuthClient): boolean =>
  tokensEndedAt !== null && issuedAt <= tokensEndedAt.getTime();

function answerOf(token: AccessToken, scope: string, issuer: string): object {
  const { clientId, subject, audience, tokenId, issuedAt, expiresAt, organizationId, keyThumbprint } = token;
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
    ...(organizationId !== undefined && { organization_id: organizationId }),
    token_type: keyThumbprint === undefined ? 'Bearer' : 'DPoP',
    ...(keyThumbprint !== undefined && { cnf: { jkt: keyThumbprint } }),
  };
}
