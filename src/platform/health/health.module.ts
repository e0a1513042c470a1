import { DynamicModule, Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { Readiness } from './readiness';

@Module({})
export class HealthModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: HealthModule,
      imports,
      controllers: [HealthController],
      providers: [Readiness],
      exports: [Readiness],
    };
  }
}
