import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { RepositoriesModule } from '../../platform/database';
import { Feature } from '../../platform/feature';
import { OrganizationsModule } from '../../organizations';
import { RbacModule } from '../../rbac';
import { SessionModule } from '../../session';
import { SettingsModule } from '../../settings';
import { UsersModule } from '../../users';
import { ClientAccessService } from './clients/client-access.service';
import { ClientCreationService } from './clients/client-creation.service';
import { ClientDelegationService } from './clients/client-delegation.service';
import { ClientDeletionService } from './clients/client-deletion.service';
import { ClientInputService } from './clients/client-input.service';
import { ClientGrantsService } from './clients/client-grants.service';
import { ClientTrustService } from './clients/client-trust.service';
import { ClientSecretsService } from './clients/client-secrets.service';
import { ClientSetUpService } from './clients/client-set-up.service';
import { ClientScopesService } from './clients/client-scopes.service';
import { ClientCache } from './clients/client.cache';
import { ClientUsageService } from './clients/client-usage.service';
import { OAuthClient } from './clients/client.entity';
import { ClientOrganizationsService } from './clients/client-organizations.service';
import { ClientRepository } from './clients/client.repository';
import { ClientsController } from './clients/clients.controller';
import { ClientsService } from './clients/clients.service';
import { OAuthConsent } from './consents/consent.entity';
import { ConsentRepository } from './consents/consent.repository';
import { ConsentsController } from './consents/consents.controller';
import { ConsentsService } from './consents/consents.service';
import { GrantsService } from './consents/grants.service';
import { OidcAccountsService } from './engine/oidc-accounts.service';
import { AuthenticationContextService } from './engine/authentication-context.service';
import { ConfirmedLogoutService } from './engine/confirmed-logout.service';
import { FeatureConfigurationFactory } from './engine/feature-configuration.factory';
import { OidcAdapterFactory } from './engine/oidc-adapter.factory';
import { ProtocolConfigurationFactory } from './engine/protocol-configuration.factory';
import { EngineAdjustmentsService } from './engine/engine-adjustments.service';
import { EngineConfigurationFactory } from './engine/engine-configuration.factory';
import { PromptPolicyFactory } from './engine/prompt-policy.factory';
import { OidcEngineService } from './engine/oidc-engine.service';
import { ExpiredIdTokenHintService } from './engine/expired-id-token-hint.service';
import { ClientTokenIssueService } from './engine/client-token-issue.service';
import { TokenClaimsService } from './engine/token-claims.service';
import { OrganizationLoginService } from './engine/organization-login.service';
import { TokenOrganizationService } from './engine/token-organization.service';
import { ProtocolPagesService } from './engine/protocol-pages.service';
import { ProtocolLimiterService } from './engine/protocol-limiter.service';
import { ProtocolMiddleware } from './engine/protocol.middleware';
import { ReplayHandlerService } from './engine/replay-handler.service';
import { ResourceIntrospectionService } from './engine/resource-introspection.service';
import { ResourcesService } from './engine/resources.service';
import { RevocationsService } from './engine/revocations.service';
import { AccessRejectionsService } from './claims/access-rejections.service';
import { ClaimValuesService } from './claims/claim-values.service';
import { ClientAdmissionService } from './claims/client-admission.service';
import { ClientPreviewService } from './claims/client-preview.service';
import { MappedClaimsService } from './claims/mapped-claims.service';
import { OrganizationAdmissionService } from './claims/organization-admission.service';
import { OrganizationChoiceService } from './claims/organization-choice.service';
import { OrganizationClaimsService } from './claims/organization-claims.service';
import { RequestedOrganizationService } from './claims/requested-organization.service';
import { InteractionsController } from './interactions/interactions.controller';
import { InteractionsService } from './interactions/interactions.service';
import { BackchannelLogoutService } from './backchannel-logout.service';
import { BackchannelLogoutSenderService } from './backchannel-logout-sender.service';
import { BackchannelLogoutOutboxService } from './backchannel-logout-outbox.service';
import { ClientTokenService } from './client-token.service';
import { LogoutMetricsJob } from './logout-metrics.job';
import { OAuthKeysService } from './oauth-keys.service';
import { AuthorizationController } from './protocol/authorization.controller';
import { TokenController } from './protocol/token.controller';
import { DiscoveryController } from './protocol/discovery.controller';
import { OidcRequestHandler } from './protocol/oidc-request.handler';
import { IntrospectionController } from './protocol/introspection.controller';
import { SessionsEndedListener } from './sessions-ended.listener';
import { OidcModel } from './storage/oidc-model.entity';
import { OidcModelRepository } from './storage/oidc-model.repository';
import { PendingLogoutNotice } from './storage/pending-logout-notice.entity';
import { LogoutNoticeRepository } from './storage/logout-notice.repository';
import { DerivedRefreshTokensService } from './storage/derived-refresh-tokens.service';

const clients = [
  ClientGrantsService,
  ClientTrustService,
  ClientRepository,
  ClientCache,
  ClientUsageService,
  ClientSecretsService,
  ClientScopesService,
  ClientAccessService,
  ClientOrganizationsService,
  ClientSetUpService,
  ClientInputService,
  ClientCreationService,
  ClientsService,
  ClientDelegationService,
  ClientDeletionService,
];
const permissionClaims = [
  AccessRejectionsService,
  ClientAdmissionService,
  ClaimValuesService,
  MappedClaimsService,
  OrganizationAdmissionService,
  OrganizationChoiceService,
  OrganizationClaimsService,
  RequestedOrganizationService,
  ClientPreviewService,
];
const consents = [ConsentRepository, ConsentsService, GrantsService];
const engine = [
  OidcModelRepository,
  DerivedRefreshTokensService,
  OidcAccountsService,
  AuthenticationContextService,
  ResourcesService,
  ProtocolPagesService,
  ProtocolLimiterService,
  OidcAdapterFactory,
  ProtocolConfigurationFactory,
  FeatureConfigurationFactory,
  PromptPolicyFactory,
  EngineConfigurationFactory,
  ExpiredIdTokenHintService,
  ReplayHandlerService,
  RevocationsService,
  ResourceIntrospectionService,
  ConfirmedLogoutService,
  ClientTokenIssueService,
  EngineAdjustmentsService,
  TokenClaimsService,
  TokenOrganizationService,
  OrganizationLoginService,
  ProtocolMiddleware,
  OidcEngineService,
];
const logouts = [
  LogoutNoticeRepository,
  BackchannelLogoutOutboxService,
  BackchannelLogoutSenderService,
  BackchannelLogoutService,
  SessionsEndedListener,
  LogoutMetricsJob,
];
const protocol = [InteractionsService, OidcRequestHandler, OAuthKeysService, ClientTokenService];

/** Castellan as OAuth 2.0 authorization server and OpenID Connect provider. */
@Module({
  imports: [
    RepositoriesModule.forFeature([OAuthClient, OAuthConsent, OidcModel, PendingLogoutNotice]),
    AuditModule,
    SettingsModule,
    UsersModule,
    RbacModule,
    OrganizationsModule,
    SessionModule,
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
  providers: [...clients, ...permissionClaims, ...consents, ...engine, ...logouts, ...protocol],
  exports: [
    ConsentsService,
    ClientGrantsService,
    ClientTrustService,
    ClientRepository,
    ClientCache,
    ClientTokenService,
    ResourcesService,
    InteractionsService,
  ],
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
