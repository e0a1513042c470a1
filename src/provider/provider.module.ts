import { DynamicModule, Injectable, Module } from '@nestjs/common';
import { ClientOrigins } from '../platform/http';
import { OutboundModule } from '../platform/outbound';
import { ClientScopes } from './clients/client-scopes';
import { ClientState } from './clients/client-state';
import { ClientUses } from './clients/client-uses';
import { ClientRepository } from './clients/client.repository';
import { ClientsController } from './clients/clients.controller';
import { Clients } from './clients/clients.service';
import { ConsentRepository } from './consents/consent.repository';
import { ConsentsController } from './consents/consents.controller';
import { Consents } from './consents/consents.service';
import { Grants } from './consents/grants';
import { Accounts } from './engine/accounts';
import { AuthenticationContexts } from './engine/authentication-context';
import { EngineConfiguration } from './engine/configuration';
import { Engine } from './engine/engine';
import { ProtocolPages } from './engine/pages';
import { ProtocolLimiter } from './engine/protocol-limiter';
import { FormerHints } from './engine/former-hints';
import { ProtocolMiddleware } from './engine/protocol-middleware';
import { Replays } from './engine/replays';
import { Resources } from './engine/resources';
import { Revocations } from './engine/revocations';
import { InteractionsController } from './interactions/interactions.controller';
import { Interactions } from './interactions/interactions.service';
import { LogoutNotices } from './logout-notices';
import { LogoutOutbox } from './logout-outbox';
import { MachineTokens } from './machine-tokens';
import { OAuthKeys } from './oauth-keys';
import { BrowserFacingController } from './protocol/browser-facing.controller';
import { ClientFacingController } from './protocol/client-facing.controller';
import { DiscoveryController } from './protocol/discovery.controller';
import { ProtocolGateway } from './protocol/protocol-gateway';
import { ServerFacingController } from './protocol/server-facing.controller';
import { SessionEnds } from './session-ends';
import { ArtifactRepository } from './storage/artifact.repository';
import { LogoutNoticeRepository } from './storage/logout-notice.repository';
import { Successors } from './storage/successors';

const clients = [ClientRepository, ClientState, ClientUses, ClientScopes, Clients];
const consents = [ConsentRepository, Consents, Grants];
const engine = [
  ArtifactRepository,
  Successors,
  Accounts,
  AuthenticationContexts,
  Resources,
  ProtocolPages,
  ProtocolLimiter,
  EngineConfiguration,
  FormerHints,
  Replays,
  Revocations,
  ProtocolMiddleware,
  Engine,
];
const logouts = [LogoutNoticeRepository, LogoutOutbox, LogoutNotices, SessionEnds];
const protocol = [Interactions, ProtocolGateway, OAuthKeys, MachineTokens];

/** Whose pages may call the protocol is known here, and asked further left. */
@Injectable()
class OriginsBinding {
  constructor(origins: ClientOrigins, state: ClientState) {
    origins.bind((origin) => state.isOrigin(origin));
  }
}

/** Castellan as OAuth 2.0 authorization server and OpenID Connect provider. */
@Module({})
export class ProviderModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: ProviderModule,
      imports: [...imports, OutboundModule.register(...imports)],
      controllers: [
        ClientsController,
        ConsentsController,
        InteractionsController,
        DiscoveryController,
        ClientFacingController,
        ServerFacingController,
        BrowserFacingController,
      ],
      providers: [...clients, ...consents, ...engine, ...logouts, ...protocol, OriginsBinding],
      exports: [MachineTokens],
    };
  }
}
