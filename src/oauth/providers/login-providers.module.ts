import { DynamicModule, Module, Provider, Type } from '@nestjs/common';
import { OutboundModule } from '../../platform/outbound';
import { builtInAdapters } from './adapters';
import { LoginAddresses } from './login-addresses';
import { LoginProviderRepository } from './login-provider.repository';
import { LoginProvidersController } from './login-providers.controller';
import { LoginProviders } from './login-providers.service';
import { OAuthProviderAdapter } from './oauth-provider-adapter';
import { ProviderAdapters } from './provider-adapters';
import { ProviderDeletions } from './provider-deletions';
import { ProviderGuard } from './provider-guard';
import { ProviderSecrets } from './provider-secrets';
import { ProviderTemplates } from './provider-templates';
import { ProviderTests } from './provider-tests';
import { StoredUpstreams } from './stored-upstreams';
import { Upstreams } from './upstreams';

/** What the composition root decides for this module. */
export interface LoginProviderParts {
  readonly oauthProviderAdapters?: readonly Type<OAuthProviderAdapter>[];
}

/** The registry with every adapter built; a second one of a template ends the start. */
function adapterRegistry(hosts: readonly Type<OAuthProviderAdapter>[]): Provider {
  return {
    provide: ProviderAdapters,
    inject: [...hosts],
    useFactory: (...built: OAuthProviderAdapter[]) => {
      const registry = new ProviderAdapters();
      for (const adapter of [...builtInAdapters.map((BuiltIn) => new BuiltIn()), ...built]) registry.add(adapter);
      return registry;
    },
  };
}

@Module({})
export class LoginProvidersModule {
  static register(
    { oauthProviderAdapters: adapters = [] }: LoginProviderParts,
    ...imports: DynamicModule[]
  ): DynamicModule {
    return {
      module: LoginProvidersModule,
      imports: [...imports, OutboundModule.register(...imports)],
      controllers: [LoginProvidersController],
      providers: [
        ...adapters,
        adapterRegistry(adapters),
        LoginAddresses,
        LoginProviderRepository,
        ProviderSecrets,
        ProviderDeletions,
        ProviderGuard,
        ProviderTemplates,
        ProviderTests,
        StoredUpstreams,
        LoginProviders,
        { provide: Upstreams, useExisting: StoredUpstreams },
      ],
      exports: [LoginAddresses, Upstreams, ProviderDeletions],
    };
  }
}
