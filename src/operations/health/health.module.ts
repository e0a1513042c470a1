import { Module } from '@nestjs/common';
import { Feature } from '../../platform/feature';
import { HealthController } from './health.controller';
import { MetricsController } from './metrics.controller';
import { ReadinessService } from './readiness.service';

@Module({
  controllers: [HealthController, MetricsController],
  providers: [ReadinessService],
  exports: [ReadinessService],
})
export class HealthModule {}

export const healthFeature: Feature = { module: HealthModule };
