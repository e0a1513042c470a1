import { Injectable } from '@nestjs/common';
import type { ResourceServer } from 'oidc-provider';
import { allOf } from '../../../platform/maybe-promise';
import { PermissionsService } from '../../../rbac';
import { UserCache } from '../../../users';
import { ClientScopesService } from '../clients/client-scopes.service';
import { ClientCache } from '../clients/client.cache';
import { OAuthClient } from '../clients/client.entity';
import { resourceOf, serviceOf } from '../clients/resource-name';
import { errors } from './library';
import { ACCESS_TOKEN_SECONDS } from './lifetimes';

/**
 * Services whose permissions Castellan keeps, as resources: `urn:castellan:<scope>` (RFC 8707). A token for one says in
 * `scope` what its bearer may do there, and is a JWT that the service checks by itself (RFC 9068).
 */
@Injectable()
export class ResourcesService {
  constructor(
    private readonly clients: ClientCache,
    private readonly scopes: ClientScopesService,
    private readonly permissions: PermissionsService,
    private readonly users: UserCache,
  ) {}

  /** Undefined where there is no such resource. @param userId the user that the client acts for; undefined: itself. */
  async find(resource: string, clientId: string, userId?: string): Promise<ResourceServer | undefined> {
    const service = serviceOf(resource);
    const client = await this.clients.get(clientId);
    if (!client || service === undefined) return undefined;
    if (!(await this.scopes.isService(service))) return undefined;
    return {
      scope: (await this.permitted(client, service, userId)).join(' '),
      audience: resource,
      accessTokenTTL: ACCESS_TOKEN_SECONDS,
      accessTokenFormat: 'jwt',
      jwt: { sign: { alg: 'ES256' } },
    };
  }

  /**
   * The resource of a machine's request that names none: that of the service to which all the requested permissions
   * belong; undefined where no permission is requested. Errors: `invalid_target` where they belong to several.
   */
  async defaultOf(clientId: string, scopes: Iterable<string>): Promise<string | undefined> {
    const client = await this.clients.get(clientId);
    const own = [...scopes].filter((scope) => client?.scopes.includes(scope));
    const [service, ...others] = new Set(own.flatMap((scope) => this.scopes.permissionOf(scope)?.scope ?? []));
    if (others.length > 0) {
      throw new errors.InvalidTarget('resource is required: the requested scopes belong to several resources');
    }
    return service === undefined ? undefined : resourceOf(service);
  }

  /** Of the client's scopes, those that their author and the user both hold at this moment. */
  private async permitted(client: OAuthClient, service: string, userId: string | undefined): Promise<string[]> {
    const setter = client.scopesSetBy;
    if (setter === null || (await this.users.get(setter))?.status !== 'active') return [];
    const holders = userId === undefined ? [setter] : [setter, userId];
    const judged = await Promise.all(
      client.scopes.map(async (scope) => {
        const code = this.scopes.permissionOf(scope);
        if (code?.scope !== service) return [];
        const held = await allOf(holders.map((holder) => this.permissions.allows(holder, code)));
        return held.every(Boolean) ? [scope] : [];
      }),
    );
    return judged.flat();
  }
}
