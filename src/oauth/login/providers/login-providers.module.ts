import { Module } from '@nestjs/common';
import { AuditModule } from '../../../audit';
import { LoginModule } from '../../../auth/login';
import { RepositoriesModule } from '../../../platform/database';
import { Feature } from '../../../platform/feature';
import { hostPart } from '../../../platform/host-part';
import { OrganizationsModule } from '../../../organizations';
import { RbacModule } from '../../../rbac';
import { SettingsModule } from '../../../settings';
import { builtInAdapters } from './adapters';
import { LoginAddressesService } from './login-addresses.service';
import { LoginProviderDeletionService } from './login-provider-deletion.service';
import { LoginProvider } from './login-provider.entity';
import { LoginProviderRepository } from './login-provider.repository';
import { LoginProvidersController } from './login-providers.controller';
import { LoginProvidersService } from './login-providers.service';
import { OAuthProviderAdapter } from './oauth-provider-adapter';
import { ProviderAdapters } from './provider-adapters';
import { ProviderGuard } from './provider.guard';
import { ProviderReviewService } from './provider-review.service';
import { ProviderSecretsService } from './provider-secrets.service';
import { ProviderTemplateRegistry } from './provider-template.registry';
import { ProviderTestsService } from './provider-tests.service';
import { ServiceLoginsService } from './service-logins.service';
import { StableSubjectsService } from './stable-subjects.service';
import { StoredIdentityProviderRegistry } from './stored-identity-provider.registry';
import { IdentityProviderRegistry } from './identity-provider.registry';

/** Registers all adapters. A duplicate template fails the start. */
function adapterRegistry(hosts: readonly OAuthProviderAdapter[]): ProviderAdapters {
  const registry = new ProviderAdapters();
  for (const adapter of [...builtInAdapters.map((BuiltIn) => new BuiltIn()), ...hosts]) registry.add(adapter);
  return registry;
}

@Module({
  imports: [
    RepositoriesModule.forFeature([LoginProvider]),
    AuditModule,
    SettingsModule,
    RbacModule,
    OrganizationsModule,
    LoginModule,
  ],
  controllers: [LoginProvidersController],
  providers: [
    { provide: ProviderAdapters, inject: [hostPart(OAuthProviderAdapter)], useFactory: adapterRegistry },
    LoginAddressesService,
    LoginProviderRepository,
    ProviderSecretsService,
    ProviderGuard,
    ProviderTemplateRegistry,
    ProviderTestsService,
    StableSubjectsService,
    StoredIdentityProviderRegistry,
    ServiceLoginsService,
    ProviderReviewService,
    LoginProvidersService,
    LoginProviderDeletionService,
    { provide: IdentityProviderRegistry, useExisting: StoredIdentityProviderRegistry },
  ],
  exports: [LoginAddressesService, IdentityProviderRegistry, ServiceLoginsService, StableSubjectsService],
})
export class LoginProvidersModule {}

export const loginProvidersFeature: Feature = {
  module: LoginProvidersModule,
  entities: [LoginProvider],
  tags: { 'Login providers': 'Third-party login providers, configured by administrators' },
};
