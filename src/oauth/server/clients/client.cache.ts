import { Injectable } from '@nestjs/common';
import { CacheFactory, ReadThroughCache } from '../../../platform/cache';
import { ClientOrigins } from '../../../platform/http';
import { OAuthClient } from './client.entity';
import { loopbackOriginOf } from './redirect-uri';
import { ClientRepository } from './client.repository';

/** Enabled clients that are not suspended, cached for a second. */
@Injectable()
export class ClientCache extends ClientOrigins {
  private readonly cache: ReadThroughCache<OAuthClient>;
  private readonly origins: ReadThroughCache<{ readonly isKnown: boolean }>;

  constructor(
    caches: CacheFactory,
    private readonly clients: ClientRepository,
  ) {
    super();
    this.cache = caches.create<OAuthClient>('oauth_client');
    this.origins = caches.create<{ readonly isKnown: boolean }>('oauth_client_origin', { maxEntries: 1_000 });
  }

  async get(clientId: string): Promise<OAuthClient | undefined> {
    const client = await this.cache.get(clientId, async () => {
      return (await this.clients.findByClientId(clientId)) ?? undefined;
    });
    return client?.enabled && !client.isSuspended ? client : undefined;
  }

  /** Whether the origin belongs to a client, so that its pages may call the protocol routes. */
  async isClientOrigin(origin: string): Promise<boolean> {
    const known = await this.origins.get(origin, async () => ({ isKnown: await this.clients.isOrigin(origin) }));
    return known?.isKnown || this.isAnyPort(origin);
  }

  private async isAnyPort(origin: string): Promise<boolean> {
    const portless = loopbackOriginOf(origin);
    if (portless === undefined) return false;
    const known = await this.origins.get(`${portless}:*`, async () => ({
      isKnown: await this.clients.isLoopbackOrigin(portless),
    }));
    return known?.isKnown ?? false;
  }

  /** Call it in the transaction that changes the client. */
  async invalidate(clientId: string): Promise<void> {
    await this.cache.invalidate(clientId);
    await this.origins.invalidateAll();
  }
}
