import { Injectable } from '@nestjs/common';
import { OrganizationNamesService, OrganizationOverlay, OrganizationSettingsService } from '../../../rbac';
import { ClientCache } from '../clients/client.cache';

/** The parameter of an authorization request that names an organisation. */
export const ORGANIZATION_PARAMETER = 'organization';

/** Parameters of a request that the library has validated. */
type Parameters = Readonly<Record<string, unknown>> | undefined;

/**
 * What an organisation has set for the logins of its applications, by the authorization request. Does not depend on the user,
 * who is unknown when a login begins.
 */
@Injectable()
export class RequestedOrganizationService {
  constructor(
    private readonly clients: ClientCache,
    private readonly names: OrganizationNamesService,
    private readonly settings: OrganizationSettingsService,
  ) {}

  /** Of the organisation that the client is tied to, else of the one that the request names. */
  async overlayOf(params: Parameters): Promise<OrganizationOverlay | undefined> {
    const client = await this.clients.get(String(params?.['client_id']));
    const named = params?.[ORGANIZATION_PARAMETER];
    const id = client?.organizationId ?? (typeof named === 'string' ? await this.names.idOf(named) : undefined);
    return client && id !== undefined ? this.settings.overlayOf(id) : undefined;
  }
}

/** Whether the organisation accepts a login by the method. Undefined: unknown. */
export const isAccepted = ({ loginMethods }: OrganizationOverlay, method: string | undefined): boolean =>
  loginMethods === undefined || (method !== undefined && loginMethods.includes(method));
