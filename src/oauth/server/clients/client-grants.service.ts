import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config';
import { Grant, OwnedClientGrants } from '../../../rbac';
import { grantToTie } from './grant-to-tie';
import { ClientScopesService } from './client-scopes.service';
import { ClientRepository } from './client.repository';

/** The permissions that users can use through their own clients. */
@Injectable()
export class ClientGrantsService extends OwnedClientGrants {
  constructor(
    private readonly clients: ClientRepository,
    private readonly scopes: ClientScopesService,
    private readonly environment: Environment,
  ) {
    super();
  }

  async ofOwners(userIds: readonly string[]): Promise<readonly Grant[]> {
    if (userIds.length === 0) return [];
    const { scopes, resources } = await this.clients.requestableByOwners(userIds);
    const grants = scopes.length === 0 ? [] : await this.scopes.grantsOf(scopes);
    return [...grants, ...this.scopes.grantsOfResources(resources)];
  }

  async byOrganization(userIds: readonly string[]): Promise<ReadonlyMap<string, readonly Grant[]>> {
    if (userIds.length === 0) return new Map();
    const grants = [grantToTie(this.environment.serviceScope)];
    return new Map((await this.clients.organizationsOfOwners(userIds)).map((id) => [id, grants]));
  }
}
