import { Injectable } from '@nestjs/common';
import { Grant, OwnedClientGrants } from '../../../rbac';
import { ClientScopesService } from './client-scopes.service';
import { ClientRepository } from './client.repository';

/** The permissions among the scopes of a user's own clients. */
@Injectable()
export class ClientGrantsService extends OwnedClientGrants {
  constructor(
    private readonly clients: ClientRepository,
    private readonly scopes: ClientScopesService,
  ) {
    super();
  }

  async ofOwner(userId: string): Promise<readonly Grant[]> {
    const scopes = await this.clients.scopesOfOwner(userId);
    return scopes.length === 0 ? [] : this.scopes.grantsOf(scopes);
  }
}
