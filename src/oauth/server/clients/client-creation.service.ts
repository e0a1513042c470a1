import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { Caller } from '../../../platform/context';
import { randomToken } from '../../../platform/crypto';
import { Transactions } from '../../../platform/database';
import { sessionErrors } from '../../../session';
import { UserRepository } from '../../../users';
import { auditedClient, newClient, targetOf } from './client-fields';
import { ClientDelegationService } from './client-delegation.service';
import { ClientInputService } from './client-input.service';
import { checkClient } from './client-rules';
import { CreateClientDto } from './client.dto';
import { OAuthClient } from './client.entity';
import { ClientChange, ClientRepository, NewClient } from './client.repository';
import { clientActs } from '../core/authorization-server.acts';

/** A new client, with its secret unless it is public. */
export interface CreatedClient {
  readonly client: OAuthClient;
  readonly secret: string | undefined;
}

/** Registers clients for users and organizations, with no scope beyond the user's own permissions. */
@Injectable()
export class ClientCreationService {
  constructor(
    private readonly input: ClientInputService,
    private readonly delegation: ClientDelegationService,
    private readonly users: UserRepository,
    private readonly clients: ClientRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** Errors: `validation_failed`, `permission_denied`, `escalation_denied`, `session_revoked` (the account has just been deleted). */
  async create(caller: Caller, body: CreateClientDto): Promise<CreatedClient> {
    const input = await this.input.read(body, ['openid']);
    const secret = body.is_public ? undefined : randomToken();
    const byOrganization = await this.delegation.isNeeded(caller, body.organization_id);
    const ownerId = byOrganization ? null : caller.userId;
    const client = newClient(caller, body, { scopes: input.scopes ?? [], secret, ownerId });
    checkClient(client);
    return this.transactions.run(async () => {
      // The lock order is the same as for deleting an owner's account, to prevent deadlocks.
      await this.input.lock(input);
      if (!(await this.users.lock(caller.userId))) throw sessionErrors.sessionRevoked();
      await this.input.authorize(caller, input, guardedFieldsOf(client), { byOrganization });
      await this.clients.insert(client);
      const made = await this.clients.reload(client.id);
      await this.audit.record(clientActs.create, { target: targetOf(made), after: auditedClient(made) });
      return { client: made, secret };
    });
  }
}

/** The fields that need authority, where they differ from what anybody may have. */
const guardedFieldsOf = (client: NewClient): ClientChange => ({
  access: client.access,
  ...(client.firstParty && { firstParty: true }),
  ...(client.claims.length > 0 && { claims: client.claims }),
  ...(client.organizationId !== null && { organizationId: client.organizationId }),
});
