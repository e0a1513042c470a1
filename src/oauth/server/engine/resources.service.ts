import { Injectable } from '@nestjs/common';
import type { ResourceServer } from 'oidc-provider';
import { allOf } from '../../../platform/util';
import { everythingIn, PermissionsService } from '../../../rbac';
import { UserCache } from '../../../users';
import { ClientScopesService } from '../clients/client-scopes.service';
import { ClientOrganizationsService } from '../clients/client-organizations.service';
import { ClientCache } from '../clients/client.cache';
import { OAuthClient } from '../clients/client.entity';
import { resourceOf, serviceOf } from '../clients/resource-name';
import { errors } from '../core/library';
import { ACCESS_TOKEN_SECONDS } from '../core/lifetimes';

/**
 * Services whose permissions Castellan manages, as resources: `urn:castellan:<scope>` (RFC 8707). An access token for
 * one is a JWT with the permissions in `scope`, which the service verifies itself (RFC 9068).
 */
@Injectable()
export class ResourcesService {
  constructor(
    private readonly clients: ClientCache,
    private readonly scopes: ClientScopesService,
    private readonly permissions: PermissionsService,
    private readonly users: UserCache,
    private readonly ties: ClientOrganizationsService,
  ) {}

  /**
   * Undefined for an unknown resource.
   * @param userId the user that the client acts for. Undefined: the client itself.
   */
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
   * The default resource of a client credentials request: that of the service to which all requested permissions
   * belong. Undefined if no permission is requested. Errors: `invalid_target` if they belong to several.
   */
  async defaultOf(clientId: string, scopes: Iterable<string>): Promise<string | undefined> {
    const client = await this.clients.get(clientId);
    const own = [...scopes].filter((scope) => client?.scopes.includes(scope));
    const [service, ...others] = new Set(own.flatMap((scope) => this.scopes.permissionOf(scope)?.scope ?? []));
    if (others.length > 0) {
      throw new errors.InvalidTarget('resource is required: the scopes belong to several resources');
    }
    return service === undefined ? undefined : resourceOf(service);
  }

  /** The scopes of a client credentials request without any: all permissions of the client (RFC 6749 §3.3). */
  async defaultScopesOf(clientId: string): Promise<string[]> {
    const client = await this.clients.get(clientId);
    const permissions = client?.scopes.filter((scope) => this.scopes.permissionOf(scope)) ?? [];
    if (permissions.length > 0) return permissions;
    throw new errors.InvalidTarget('resource is required: the client has no scope that belongs to a resource');
  }

  /** Of the client's introspection resources, those in which the user who set them still holds all permissions. */
  async introspectedBy(clientId: string): Promise<string[]> {
    const { introspectionResources: resources = [], introspectionSetBy: setter } =
      (await this.clients.get(clientId)) ?? {};
    if (resources.length === 0 || !setter || !(await this.isActive(setter))) return [];
    const held = await this.permissions.findGrants(setter);
    return resources.filter((resource) => {
      const service = serviceOf(resource);
      return service !== undefined && held.missing([everythingIn(service)]).length === 0;
    });
  }

  /** The client's scopes that both the user who set them and the current user hold now. */
  private async permitted(client: OAuthClient, service: string, userId: string | undefined): Promise<string[]> {
    const setter = client.scopesSetBy;
    if (setter === null || !(await this.isActive(setter))) return [];
    if (userId === undefined && !(await this.ties.mayAct(client))) return [];
    const holders = userId === undefined ? [setter] : [setter, userId];
    const permitted = await Promise.all(
      client.scopes.map(async (scope) => {
        const code = this.scopes.permissionOf(scope);
        if (code?.scope !== service) return [];
        const held = await allOf(holders.map((holder) => this.permissions.allows(holder, code)));
        return held.every(Boolean) ? [scope] : [];
      }),
    );
    return permitted.flat();
  }

  private async isActive(userId: string): Promise<boolean> {
    return (await this.users.get(userId))?.status === 'active';
  }
}
