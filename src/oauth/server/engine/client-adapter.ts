import type { Adapter, AdapterPayload } from 'oidc-provider';
import { ClientScopesService } from '../clients/client-scopes.service';
import { ClientCache } from '../clients/client.cache';
import { tokenPerMinutePerClient } from '../core/authorization-server.settings';
import { clientMetadata } from './client-metadata';
import { Provider } from '../core/library';
import { ProtocolLimiterService } from '../core/protocol-limiter.service';

/** Endpoints where every request for a client causes work or storage before authentication. */
const COUNTED: ReadonlySet<string> = new Set(['token', 'pushed_authorization_request']);
const LIMIT = { setting: tokenPerMinutePerClient, windowSeconds: 60 };

/** Registered clients, read-only, because the library's dynamic registration is off. */
export class ClientAdapter implements Adapter {
  constructor(
    private readonly clients: ClientCache,
    private readonly scopes: ClientScopesService,
    private readonly limiter: ProtocolLimiterService,
  ) {}

  async find(clientId: string): Promise<AdapterPayload | undefined> {
    await this.count(clientId);
    const client = await this.clients.get(clientId);
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
    throw new Error('A client cannot be consumed');
  }

  async revokeByGrantId(): Promise<void> {
    throw new Error('A client does not belong to a grant');
  }

  /** Counts before the secret is verified, and per address, so that others cannot use up a client's limit. */
  private async count(clientId: string): Promise<void> {
    if (!COUNTED.has(Provider.ctx?.oidc.route ?? '')) return;
    await this.limiter.count(LIMIT, clientId.slice(0, 64));
  }
}
