import { DynamicModule, Module } from '@nestjs/common';
import { ActivityRecorder } from './activity-recorder';
import { ActivityRepository } from './activity.repository';
import { StatisticsController } from './statistics.controller';
import { Statistics } from './statistics.service';

@Module({})
export class StatisticsModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: StatisticsModule,
      imports,
      controllers: [StatisticsController],
      providers: [ActivityRepository, ActivityRecorder, Statistics],
    };
  }
}
