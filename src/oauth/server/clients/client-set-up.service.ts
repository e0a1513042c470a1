import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { DomainEvents } from '../../../platform/jobs/events';
import { PlacedSetUp, SetUpPlace, SetUpRegistry, SetUpSource } from '../../../rbac';
import { usersDisabled, usersEnabled } from '../../../users';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { targetOf } from './client-fields';
import { ClientCache } from './client.cache';
import { OAuthClient } from './client.entity';
import { ClientRepository } from './client.repository';
import { clientActs } from '../core/authorization-server.acts';

/**
 * Disables the clients of organizations that users have tied or own, when the users are removed or deleted. One that the
 * service disabled stays disabled by the service. While the users are disabled, the clients are suspended.
 */
@Injectable()
export class ClientSetUpService implements SetUpSource, OnModuleInit {
  constructor(
    private readonly clients: ClientRepository,
    private readonly state: ClientCache,
    private readonly artifacts: OidcModelRepository,
    private readonly setUps: SetUpRegistry,
    private readonly events: DomainEvents,
    private readonly audit: AuditService,
  ) {}

  onModuleInit(): void {
    this.setUps.register(this);
    for (const event of [usersDisabled, usersEnabled]) this.events.on(event, (users) => this.refresh(users));
  }

  async list(place: SetUpPlace): Promise<PlacedSetUp[]> {
    return (await this.clients.findTiedBy(place)).map(setUpOf);
  }

  /** A removed member does not stay the owner: the client belongs to the organization. */
  async switchOff(place: SetUpPlace, reason: string): Promise<PlacedSetUp[]> {
    const clients = await this.clients.findTiedBy(place, { lock: true });
    for (const client of clients) {
      const isOwnerRemoved = place.organizationId !== undefined && place.userIds.includes(client.ownerId ?? '');
      await this.disable(client, isOwnerRemoved ? null : client.ownerId, reason);
    }
    await this.artifacts.deleteOfClients(clients.map(({ clientId }) => clientId));
    return clients.map(setUpOf);
  }

  private async refresh(users: SetUpPlace): Promise<void> {
    for (const { clientId } of await this.clients.findTiedBy(users)) await this.state.invalidate(clientId);
  }

  private async disable(client: OAuthClient, ownerId: string | null, reason: string): Promise<void> {
    await this.clients.disable(client.id, ownerId);
    await this.audit.record(clientActs.disable, {
      target: targetOf(client),
      before: { owner_id: client.ownerId, enabled: client.enabled },
      after: { owner_id: ownerId, enabled: false },
      reason,
    });
    await this.state.invalidate(client.clientId);
  }
}

const setUpOf = ({ id, name, organizationId, ownerId, organizationSetBy, isSuspended }: OAuthClient): PlacedSetUp => ({
  kind: 'oauth_client',
  id,
  name,
  organizationId: organizationId ?? '',
  userIds: [ownerId, organizationSetBy].filter((userId) => userId !== null),
  isSuspended,
});
