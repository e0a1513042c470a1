import { Module } from '@nestjs/common';
import { Feature } from '../../platform/feature';
import { SessionModule } from '../../session';
import { OAuthClaimsModule } from './claims/oauth-claims.module';
import { ClientTokenService } from './client-token.service';
import { OAuthClient } from './clients/client.entity';
import { OAuthConsent } from './clients/consent.entity';
import { OAuthClientsModule } from './clients/oauth-clients.module';
import { ClientsController } from './clients.controller';
import { ConsentsController } from './consents/consents.controller';
import { OAuthConsentsModule } from './consents/oauth-consents.module';
import { OAuthEngineModule } from './engine/oauth-engine.module';
import { InteractionsController } from './interactions/interactions.controller';
import { OAuthInteractionsModule } from './interactions/oauth-interactions.module';
import { BackchannelLogoutModule } from './logout/backchannel-logout.module';
import { OAuthKeysService } from './oauth-keys.service';
import { AuthorizationController } from './protocol/authorization.controller';
import { DiscoveryController } from './protocol/discovery.controller';
import { IntrospectionController } from './protocol/introspection.controller';
import { OAuthProtocolModule } from './protocol/oauth-protocol.module';
import { TokenController } from './protocol/token.controller';
import { OidcModel } from './storage/oidc-model.entity';
import { PendingLogoutNotice } from './storage/pending-logout-notice.entity';

/** Castellan as OAuth 2.0 authorization server and OpenID Connect provider. */
@Module({
  imports: [
    SessionModule,
    OAuthClientsModule,
    OAuthClaimsModule,
    OAuthConsentsModule,
    OAuthEngineModule,
    OAuthInteractionsModule,
    OAuthProtocolModule,
    BackchannelLogoutModule,
  ],
  controllers: [
    ClientsController,
    ConsentsController,
    InteractionsController,
    DiscoveryController,
    TokenController,
    IntrospectionController,
    AuthorizationController,
  ],
  providers: [OAuthKeysService, ClientTokenService],
  exports: [OAuthClientsModule, OAuthConsentsModule, OAuthEngineModule, OAuthInteractionsModule, ClientTokenService],
})
export class AuthorizationServerModule {}

export const authorizationServerFeature: Feature = {
  module: AuthorizationServerModule,
  entities: [OAuthClient, OidcModel, OAuthConsent, PendingLogoutNotice],
  tags: {
    'OAuth protocol':
      'OAuth 2.0 and OpenID Connect as the specifications define them, for applications and their libraries',
    'OAuth clients': 'Applications whose users log in here',
    'OAuth consents': 'The scopes that the caller has granted to applications',
    'OAuth interactions': 'The requests of applications that the login and consent pages show',
  },
};
