import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { AuthModule } from '../../auth';
import { RepositoriesModule } from '../../platform/database';
import { Feature } from '../../platform/feature';
import { LoginModule } from '../../auth/login';
import { OrganizationDomainsModule } from '../../organizations/domains';
import { OrganizationSettingsModule } from '../../organizations/settings';
import { SessionModule } from '../../session';
import { SettingsModule } from '../../settings';
import { UsersModule } from '../../users';
import { AutoRegistrationService } from './flow/auto-registration.service';
import { AccountLinkToken } from './flow/account-link-token.entity';
import { BindRegistrationFieldsGuard } from './flow/bind-registration-fields.guard';
import { AccountLinkTokenGuard } from './flow/account-link-token.guard';
import { AccountLinkTokenRepository } from './flow/account-link-token.repository';
import { AccountLinkTokensService } from './flow/account-link-tokens.service';
import { BindController } from './flow/bind.controller';
import { AccountLinkingService } from './flow/account-linking.service';
import { CallbackResponsesService } from './flow/callback-responses.service';
import { CallbackFilter } from './flow/callback.filter';
import { CallbackController } from './flow/callback.controller';
import { CallbackVerificationService } from './flow/callback-verification.service';
import { CallbackService } from './flow/callback.service';
import { IdentifierController } from './flow/identifier.controller';
import { IdentifierLookupService } from './flow/identifier-lookup.service';
import { IdentityLinkAction } from './flow/identity-link.action';
import { FlowCleanupJob } from './flow/flow-cleanup.job';
import { FlowCookiesService } from './flow/flow-cookies.service';
import { LoginStartService } from './flow/login-start.service';
import { AuthorizationRequest } from './flow/authorization-request.entity';
import { AuthorizationRequestRepository } from './flow/authorization-request.repository';
import { AuthorizationRequestStore } from './flow/authorization-request.store';
import { FederatedLoginService } from './flow/federated-login.service';
import { ProviderDomainsService } from './flow/provider-domains.service';
import { ReturnAddressesService } from './flow/return-addresses.service';
import { IdentitiesController } from './identities/identities.controller';
import { UserIdentitiesController } from './identities/user-identities.controller';
import { IdentitiesService } from './identities/identities.service';
import { IdentityCredentialsService } from './identities/identity-credentials.service';
import { IdentityRemovalService } from './identities/identity-removal.service';
import { IdentityReviewService } from './identities/identity-review.service';
import { Identity, IdentitySubject } from './identities/identity.entity';
import { IdentityRepository } from './identities/identity.repository';
import { ImportedIdentitiesService } from './identities/imported-identities.service';
import { ProviderIdentitiesListener } from './identities/provider-identities.listener';
import { LoginProvidersModule } from './providers';

/** Third-party login: providers, login and linking flows, and linked identities. */
@Module({
  imports: [
    RepositoriesModule.forFeature([Identity, AuthorizationRequest, AccountLinkToken]),
    AuditModule,
    SettingsModule,
    UsersModule,
    SessionModule,
    LoginModule,
    AuthModule,
    OrganizationDomainsModule,
    OrganizationSettingsModule,
    LoginProvidersModule,
  ],
  controllers: [
    CallbackController,
    BindController,
    IdentifierController,
    IdentitiesController,
    UserIdentitiesController,
  ],
  providers: [
    IdentityRepository,
    IdentitiesService,
    IdentityCredentialsService,
    IdentityRemovalService,
    IdentityReviewService,
    ProviderIdentitiesListener,
    ImportedIdentitiesService,
    AuthorizationRequestRepository,
    AuthorizationRequestStore,
    AccountLinkTokenRepository,
    AccountLinkTokensService,
    AccountLinkTokenGuard,
    BindRegistrationFieldsGuard,
    FlowCookiesService,
    FlowCleanupJob,
    LoginStartService,
    ReturnAddressesService,
    AutoRegistrationService,
    IdentityLinkAction,
    FederatedLoginService,
    IdentifierLookupService,
    ProviderDomainsService,
    CallbackVerificationService,
    CallbackService,
    CallbackResponsesService,
    CallbackFilter,
    AccountLinkingService,
  ],
  exports: [IdentitiesService, ImportedIdentitiesService],
})
export class ThirdPartyLoginModule {}

export const thirdPartyLoginFeature: Feature = {
  module: ThirdPartyLoginModule,
  entities: [Identity, IdentitySubject, AuthorizationRequest, AccountLinkToken],
  tags: {
    'Third-party login': 'Login through GitHub, Google and others, and linking such accounts to your account',
  },
};
