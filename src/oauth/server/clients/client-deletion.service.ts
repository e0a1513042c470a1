import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { Caller } from '../../../platform/context';
import { Transactions } from '../../../platform/database';
import { DomainEvents } from '../../../platform/jobs/events';
import { userDeleting } from '../../../users';
import { clientPermissions } from './client.permissions';
import { LogoutNoticeRepository } from '../storage/logout-notice.repository';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { ClientAccessService } from './client-access.service';
import { auditedClient, targetOf } from './client-fields';
import { ClientCache } from './client.cache';
import { ClientRepository } from './client.repository';
import { clientActs } from '../core/authorization-server.acts';

/** Deletes clients, and disables those whose owner is deleted. */
@Injectable()
export class ClientDeletionService implements OnModuleInit {
  constructor(
    private readonly access: ClientAccessService,
    private readonly clients: ClientRepository,
    private readonly state: ClientCache,
    private readonly artifacts: OidcModelRepository,
    private readonly logouts: LogoutNoticeRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on(userDeleting, ({ userId }) => this.disableOwnedBy(userId));
  }

  /** Errors: `not_found`, `permission_denied`. */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      const { client: before } = await this.access.lock(caller, id, clientPermissions.delete);
      await this.clients.delete(id);
      await this.artifacts.deleteOfClients([before.clientId]);
      await this.logouts.deleteOfClient(before.clientId);
      await this.audit.record(clientActs.delete, {
        target: targetOf(before),
        before: auditedClient(before),
      });
      await this.state.invalidate(before.clientId);
    });
  }

  /** A client must not stay in use without an owner who is responsible for it. */
  private async disableOwnedBy(userId: string): Promise<void> {
    const disabled = await this.clients.disableOwnedBy(userId);
    await this.artifacts.deleteOfClients(disabled.map(({ clientId }) => clientId));
    for (const client of disabled) {
      await this.audit.record(clientActs.disable, {
        target: targetOf(client),
        before: { owner_id: userId, enabled: client.enabled },
        after: { owner_id: null, enabled: false },
      });
      await this.state.invalidate(client.clientId);
    }
  }
}
