import { Injectable } from '@nestjs/common';
import { SharedState, SharedStates } from '../../platform/cache';
import { OAuthClient } from './client.entity';
import { ClientRepository } from './client.repository';

/** Clients as the protocol needs them, read through the memory of a second. One that is disabled is not there. */
@Injectable()
export class ClientState {
  private readonly state: SharedState<OAuthClient>;
  private readonly origins: SharedState<{ readonly isKnown: boolean }>;

  constructor(
    states: SharedStates,
    private readonly clients: ClientRepository,
  ) {
    this.state = states.create<OAuthClient>('oauth_client');
    this.origins = states.create<{ readonly isKnown: boolean }>('oauth_client_origin', { maxEntries: 1_000 });
  }

  async find(clientId: string): Promise<OAuthClient | undefined> {
    const client = await this.state.read(clientId, async () => {
      return (await this.clients.findByClientId(clientId)) ?? undefined;
    });
    return client?.enabled ? client : undefined;
  }

  /** Whether pages of the origin belong to a client, and so may call the protocol from a browser. */
  async isOrigin(origin: string): Promise<boolean> {
    const known = await this.origins.read(origin, async () => ({ isKnown: await this.clients.isOrigin(origin) }));
    return known?.isKnown ?? false;
  }

  /** To be called in the transaction that changes the client. */
  async changed(clientId: string): Promise<void> {
    await this.state.forget(clientId);
    await this.origins.forgetAll();
  }
}
