import { Module, NestModule } from '@nestjs/common';
import { AllowedOriginsCheck } from './allowed-origins.check';
import { BrowserSecretsService } from './browser-secrets.service';
import { CookieScopesService } from './cookie-scopes.service';
import { CookieSettingsCheck } from './cookie-settings.check';
import { ForeignRequestsService } from './foreign-requests.service';
import { HostCookiesService } from './host-cookies.service';
import { HostWidePartsService } from './host-wide-parts.service';
import { HttpHooksService } from './http-hooks.service';
import { IssuerService } from './issuer.service';
import { RouteRegistry } from './route.registry';
import { RateLimiterService } from './rate-limiter.service';
import { RequestChecksService } from './request-checks.service';
import { RequestContextFactory } from './request-context.factory';

/** HTTP for the feature modules. It reads settings, which a feature module stores. */
@Module({
  providers: [
    ForeignRequestsService,
    HostWidePartsService,
    IssuerService,
    RouteRegistry,
    RequestContextFactory,
    RequestChecksService,
    HttpHooksService,
    RateLimiterService,
    AllowedOriginsCheck,
    CookieSettingsCheck,
    CookieScopesService,
    HostCookiesService,
    BrowserSecretsService,
  ],
  exports: [
    BrowserSecretsService,
    CookieScopesService,
    ForeignRequestsService,
    HostCookiesService,
    HostWidePartsService,
    HttpHooksService,
    IssuerService,
    RouteRegistry,
    RateLimiterService,
    RequestChecksService,
  ],
})
export class HttpModule implements NestModule {
  constructor(private readonly hostParts: HostWidePartsService) {}

  /** Nest calls it right before it creates the routes. */
  configure(): void {
    this.hostParts.keepOff();
  }
}
