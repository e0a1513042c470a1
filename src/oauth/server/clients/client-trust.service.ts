import { Injectable } from '@nestjs/common';
import { ApplicationTrust, UserNames } from '../../../rbac';
import { ClientRepository } from './client.repository';

/** Reads from the clients which users they trust by name. Claims of permissions show only what a cover judges. */
@Injectable()
export class ClientTrustService extends ApplicationTrust {
  constructor(private readonly clients: ClientRepository) {
    super();
  }

  ownersOfTrusting(names: UserNames): Promise<readonly (string | null)[]> {
    return this.clients.ownersOfTrusting(names);
  }
}
