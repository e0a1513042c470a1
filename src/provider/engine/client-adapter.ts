import type { Adapter, AdapterPayload } from 'oidc-provider';
import { ClientScopes } from '../clients/client-scopes';
import { ClientState } from '../clients/client-state';
import { tokenPerMinutePerClient } from '../provider.settings';
import { clientMetadata } from './client-metadata';
import { Provider } from './library';
import { ProtocolLimiter } from './protocol-limiter';

/** Where whoever names a client makes the service work, and keep something, before anybody is logged in. */
const COUNTED: ReadonlySet<string> = new Set(['token', 'pushed_authorization_request']);
const LIMIT = { setting: tokenPerMinutePerClient, windowSeconds: 60 };

/** Registered clients, read only: the library's own registration is off. */
export class ClientAdapter implements Adapter {
  constructor(
    private readonly clients: ClientState,
    private readonly scopes: ClientScopes,
    private readonly limiter: ProtocolLimiter,
  ) {}

  async find(clientId: string): Promise<AdapterPayload | undefined> {
    await this.count(clientId);
    const client = await this.clients.find(clientId);
    return client && clientMetadata(client, this.scopes);
  }

  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async upsert(): Promise<void> {
    throw new Error('Clients are registered through the API');
  }

  async destroy(): Promise<void> {
    throw new Error('Clients are deleted through the API');
  }

  async consume(): Promise<void> {
    throw new Error('A client is not spent');
  }

  async revokeByGrantId(): Promise<void> {
    throw new Error('A client belongs to no grant');
  }

  /** Before its secret is looked at, and with the address: nobody else's guesses use up a client's budget. */
  private async count(clientId: string): Promise<void> {
    if (!COUNTED.has(Provider.ctx?.oidc.route ?? '')) return;
    await this.limiter.count(LIMIT, clientId.slice(0, 64));
  }
}
