import { Injectable } from '@nestjs/common';
import { OrganizationNamesService, OrganizationOverlay, OrganizationSettingsService } from '../../../organizations';
import { acceptsMethod } from '../../../rbac';
import { ClientCache } from '../clients/client.cache';
import { OAuthClient } from '../clients/client.entity';
import { ORGANIZATION_SCOPE } from '../clients/client-scopes.service';

/** The parameter of an authorization request that names an organization. */
export const ORGANIZATION_PARAMETER = 'organization';

/** Parameters of a request that the library has validated. */
type Parameters = Readonly<Record<string, unknown>> | undefined;

/**
 * What an organization has set for the logins of its applications, by the authorization request. Does not depend on the user,
 * who is unknown when a login begins.
 */
@Injectable()
export class RequestedOrganizationService {
  constructor(
    private readonly clients: ClientCache,
    private readonly names: OrganizationNamesService,
    private readonly settings: OrganizationSettingsService,
  ) {}

  /**
   * Of the organization that the client is tied to, else of the one that the request names, with the scope for it. Any link may
   * name one, so the look of that one is the service's: only its login methods count.
   */
  async overlayOf(params: Parameters): Promise<OrganizationOverlay | undefined> {
    const client = await this.clients.get(String(params?.['client_id']));
    if (!client) return undefined;
    if (client.organizationId !== null) return this.settings.overlayOf(client.organizationId);
    const id = await this.idOfNamed(client, params);
    const overlay = id === undefined ? undefined : await this.settings.overlayOf(id);
    if (overlay?.loginMethods === undefined) return undefined;
    return { ...overlay, branding: await this.settings.serviceBranding() };
  }

  private async idOfNamed({ scopes }: OAuthClient, params: Parameters): Promise<string | undefined> {
    const named = params?.[ORGANIZATION_PARAMETER];
    const scope = params?.['scope'];
    const requested = typeof scope === 'string' ? scope.split(' ') : [];
    const isForOne = requested.includes(ORGANIZATION_SCOPE) && scopes.includes(ORGANIZATION_SCOPE);
    return isForOne && typeof named === 'string' ? this.names.idOf(named) : undefined;
  }
}

/** Whether the organization accepts a login by the method. Undefined: unknown. */
export const isAccepted = ({ loginMethods }: OrganizationOverlay, method: string | undefined): boolean =>
  acceptsMethod(loginMethods && new Set(loginMethods), method);
