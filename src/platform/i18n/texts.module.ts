import { DynamicModule, Module, Provider } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AcceptLanguageResolver, I18nJsonLoader, I18nModule } from 'nestjs-i18n';
import { fallbackLanguage, TranslatorService } from './translator.service';

const isGlobal = (provider: Provider): boolean => typeof provider === 'object' && provider.provide === APP_INTERCEPTOR;

/**
 * nestjs-i18n without its global parts: not a global module, and without middleware and interceptor. It exports only
 * `TranslatorService`, so a host's `I18nService` stays the host's.
 */
@Module({})
export class TextsModule {
  /** @param folder holds one folder per language; read once, at startup. */
  static forRoot(folder: string): DynamicModule {
    const { providers = [] } = I18nModule.forRoot({
      fallbackLanguage,
      loader: I18nJsonLoader,
      loaderOptions: { path: folder, watch: false },
      // Never used, since every lookup names its language; nestjs-i18n logs an error without a resolver.
      resolvers: [new AcceptLanguageResolver()],
      disableMiddleware: true,
      skipAsyncHook: true,
      logging: false,
    });
    return {
      module: TextsModule,
      providers: [...providers.filter((provider) => !isGlobal(provider)), TranslatorService],
      exports: [TranslatorService],
    };
  }
}
