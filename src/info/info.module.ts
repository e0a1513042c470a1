import { DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DocsPage } from './docs/docs-page';
import { DocsController, DocsSwitch, OpenApiController } from './docs/docs.controllers';
import { OpenApiDocument } from './docs/openapi-document';
import { RouteHandlers } from './docs/route-handlers';
import { RouteProblems } from './docs/route-problems';
import { InfoController } from './info.controller';
import { InfoService } from './info.service';

@Module({})
export class InfoModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: InfoModule,
      imports: [DiscoveryModule, ...imports],
      controllers: [InfoController, OpenApiController, DocsController],
      providers: [InfoService, OpenApiDocument, RouteHandlers, RouteProblems, DocsPage, DocsSwitch],
      exports: [InfoService, OpenApiDocument],
    };
  }
}
