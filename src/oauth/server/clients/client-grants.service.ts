import { Injectable } from '@nestjs/common';
import { Grant, OwnedClientGrants } from '../../../rbac';
import { ClientScopesService } from './client-scopes.service';
import { ClientRepository } from './client.repository';

/** The permissions that users can use through their own clients. */
@Injectable()
export class ClientGrantsService extends OwnedClientGrants {
  constructor(
    private readonly clients: ClientRepository,
    private readonly scopes: ClientScopesService,
  ) {
    super();
  }

  async ofOwners(userIds: readonly string[]): Promise<readonly Grant[]> {
    if (userIds.length === 0) return [];
    const { scopes, resources } = await this.clients.requestableByOwners(userIds);
    const grants = scopes.length === 0 ? [] : await this.scopes.grantsOf(scopes);
    return [...grants, ...this.scopes.grantsOfResources(resources)];
  }
}
