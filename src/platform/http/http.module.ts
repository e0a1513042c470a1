import { DynamicModule, Module } from '@nestjs/common';
import { AllowedOriginsCheck } from './allowed-origins.check';
import { AnswersAtOnce } from './at-once';
import { CookieSettingsCheck } from './cookie-settings.check';
import { ClientOrigins } from './client-origins';
import { HttpInstaller } from './http-installer';
import { Issuer } from './issuer';
import { OwnPaths } from './own-paths';
import { RateLimiter } from './rate-limiter';
import { RequestAdmission } from './request-admission';
import { RequestReader } from './request-reader';

/** HTTP for the modules to its right; it reads settings, whose storage is theirs. */
@Module({})
export class HttpModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: HttpModule,
      imports,
      providers: [
        AnswersAtOnce,
        ClientOrigins,
        Issuer,
        OwnPaths,
        RequestReader,
        RequestAdmission,
        HttpInstaller,
        RateLimiter,
        AllowedOriginsCheck,
        CookieSettingsCheck,
      ],
      exports: [AnswersAtOnce, ClientOrigins, HttpInstaller, Issuer, RateLimiter, OwnPaths],
    };
  }
}
