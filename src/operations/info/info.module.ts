import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthorizationServerModule, LoginProvidersModule } from '../../oauth';
import { Feature } from '../../platform/feature';
import { LoginModule } from '../../auth/login';
import { SessionModule } from '../../session';
import { SettingsModule } from '../../settings';
import { AttributesModule } from '../../users/attributes';
import { VerificationModule } from '../../verification';
import { DocsPageService } from './docs/docs-page.service';
import { DocsEnabledGuard } from './docs/docs-enabled.guard';
import { DocsController, OpenApiController } from './docs/docs.controllers';
import { OpenApiDocumentFactory } from './docs/openapi-document.factory';
import { RouteHandlersService } from './docs/route-handlers.service';
import { RouteProblemsService } from './docs/route-problems.service';
import { BrandingController } from './branding.controller';
import { InfoController } from './info.controller';
import { InfoService } from './info.service';

@Module({
  imports: [
    DiscoveryModule,
    SettingsModule,
    SessionModule,
    LoginModule,
    VerificationModule,
    LoginProvidersModule,
    AuthorizationServerModule,
    AttributesModule,
  ],
  controllers: [InfoController, BrandingController, OpenApiController, DocsController],
  providers: [
    InfoService,
    OpenApiDocumentFactory,
    RouteHandlersService,
    RouteProblemsService,
    DocsPageService,
    DocsEnabledGuard,
  ],
  exports: [InfoService, OpenApiDocumentFactory],
})
export class InfoModule {}

export const infoFeature: Feature = {
  module: InfoModule,
  tags: {
    Service: 'Public information about the service, and its deployment checks',
    Operation: 'Health checks and metrics for operators',
  },
};
