import { DynamicModule, Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { MetricsController } from './metrics.controller';
import { Readiness } from './readiness';

@Module({})
export class HealthModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: HealthModule,
      imports,
      controllers: [HealthController, MetricsController],
      providers: [Readiness],
      exports: [Readiness],
    };
  }
}
