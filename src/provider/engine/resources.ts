import { Injectable } from '@nestjs/common';
import type { ResourceServer } from 'oidc-provider';
import { isScope, Permissions, WILDCARD } from '../../rbac';
import { UserState } from '../../users';
import { ClientScopes } from '../clients/client-scopes';
import { ClientState } from '../clients/client-state';
import { OAuthClient } from '../clients/client.entity';
import { ACCESS_TOKEN_SECONDS } from './lifetimes';

const PREFIX = 'urn:castellan:';

/** The service with that scope, as a resource. */
export const resourceOf = (scope: string): string => `${PREFIX}${scope}`;

/**
 * Services whose permissions Castellan keeps, as resources: `urn:castellan:<scope>` (RFC 8707). A token for one says in
 * `scope` what its bearer may do there, and is a JWT that the service checks by itself (RFC 9068).
 */
@Injectable()
export class Resources {
  constructor(
    private readonly clients: ClientState,
    private readonly scopes: ClientScopes,
    private readonly permissions: Permissions,
    private readonly users: UserState,
  ) {}

  /** Undefined where there is no such resource. @param userId for whom the client acts; left out: for itself. */
  async find(resource: string, clientId: string, userId?: string): Promise<ResourceServer | undefined> {
    const service = resource.startsWith(PREFIX) ? resource.slice(PREFIX.length) : '';
    const client = await this.clients.find(clientId);
    if (!client || !isScope(service) || service === WILDCARD) return undefined;
    if (!(await this.scopes.isService(service))) return undefined;
    return {
      scope: (await this.permitted(client, service, userId)).join(' '),
      audience: resource,
      accessTokenTTL: ACCESS_TOKEN_SECONDS,
      accessTokenFormat: 'jwt',
      jwt: { sign: { alg: 'ES256' } },
    };
  }

  /** Of the client's scopes those that whoever set them still holds, and the user too, at this very moment. */
  private async permitted(client: OAuthClient, service: string, userId: string | undefined): Promise<string[]> {
    const setter = client.scopesSetBy;
    if (setter === null || (await this.users.find(setter))?.status !== 'active') return [];
    const holders = userId === undefined ? [setter] : [setter, userId];
    const judged = await Promise.all(
      client.scopes.map(async (scope) => {
        const code = this.scopes.permissionOf(scope);
        if (code?.scope !== service) return [];
        const held = await Promise.all(holders.map((holder) => this.permissions.allows(holder, code)));
        return held.every(Boolean) ? [scope] : [];
      }),
    );
    return judged.flat();
  }
}
