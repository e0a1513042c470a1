import { Module } from '@nestjs/common';
import { AuditModule } from '../../../audit';
import { RbacModule } from '../../../rbac';
import { SessionModule } from '../../../session';
import { SettingsModule } from '../../../settings';
import { UsersModule } from '../../../users';
import { OAuthCoreModule } from '../core/oauth-core.module';
import { OAuthStorageModule } from '../storage/oauth-storage.module';
import { OAuthClientsModule } from '../clients/oauth-clients.module';
import { OAuthClaimsModule } from '../claims/oauth-claims.module';
import { OAuthConsentsModule } from '../consents/oauth-consents.module';
import { AuthenticationContextService } from './authentication-context.service';
import { ClientTokenIssueService } from './client-token-issue.service';
import { ConfirmedLogoutService } from './confirmed-logout.service';
import { EngineAdjustmentsService } from './engine-adjustments.service';
import { EngineConfigurationFactory } from './engine-configuration.factory';
import { ExpiredIdTokenHintService } from './expired-id-token-hint.service';
import { FeatureConfigurationFactory } from './feature-configuration.factory';
import { OidcAccountsService } from './oidc-accounts.service';
import { OidcAdapterFactory } from './oidc-adapter.factory';
import { OidcEngineService } from './oidc-engine.service';
import { OrganizationLoginService } from './organization-login.service';
import { PromptPolicyFactory } from './prompt-policy.factory';
import { ProtocolConfigurationFactory } from './protocol-configuration.factory';
import { ProtocolPagesService } from './protocol-pages.service';
import { ProtocolMiddleware } from './protocol.middleware';
import { ReplayHandlerService } from './replay-handler.service';
import { ResourceIntrospectionService } from './resource-introspection.service';
import { ResourcesService } from './resources.service';
import { RevocationsService } from './revocations.service';
import { TokenClaimsService } from './token-claims.service';
import { TokenOrganizationService } from './token-organization.service';

/** The library, configured for this service. */
@Module({
  imports: [
    AuditModule,
    SettingsModule,
    UsersModule,
    RbacModule,
    SessionModule,
    OAuthCoreModule,
    OAuthStorageModule,
    OAuthClientsModule,
    OAuthClaimsModule,
    OAuthConsentsModule,
  ],
  providers: [
    OidcAccountsService,
    AuthenticationContextService,
    ResourcesService,
    ProtocolPagesService,
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
  ],
  exports: [ResourcesService, OidcEngineService],
})
export class OAuthEngineModule {}
