import { Injectable } from '@nestjs/common';
import type { Adapter } from 'oidc-provider';
import { SettingsReader } from '../../../platform/settings';
import { ClientScopesService } from '../clients/client-scopes.service';
import { ClientCache } from '../clients/client.cache';
import { refreshGrace } from '../core/authorization-server.settings';
import { AnonymousAdapter } from '../storage/anonymous-adapter';
import { DerivedRefreshTokensService } from '../storage/derived-refresh-tokens.service';
import { OidcModelAdapter } from '../storage/oidc-model-adapter';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { RefreshTokenAdapter } from '../storage/refresh-token-adapter';
import { ClientAdapter } from './client-adapter';
import { ProtocolLimiterService } from '../core/protocol-limiter.service';

const OF_VISITORS: ReadonlySet<string> = new Set(['Interaction', 'Session']);

/** Creates the storage adapter for each of the library's models. */
@Injectable()
export class OidcAdapterFactory {
  constructor(
    private readonly settings: SettingsReader,
    private readonly clients: ClientCache,
    private readonly scopes: ClientScopesService,
    private readonly limiter: ProtocolLimiterService,
    private readonly artifacts: OidcModelRepository,
    private readonly derivedTokens: DerivedRefreshTokensService,
  ) {}

  create(model: string): Adapter {
    if (model === 'Client') return new ClientAdapter(this.clients, this.scopes, this.limiter);
    if (OF_VISITORS.has(model)) return new AnonymousAdapter(model, this.artifacts, this.limiter);
    if (model !== 'RefreshToken') return new OidcModelAdapter(model, this.artifacts);
    return new RefreshTokenAdapter(this.artifacts, this.derivedTokens, async () => this.settings.get(refreshGrace));
  }
}
