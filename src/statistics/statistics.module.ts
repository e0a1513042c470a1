import { Module } from '@nestjs/common';
import { RepositoriesModule } from '../platform/database';
import { Feature } from '../platform/feature';
import { ActivityHour } from './activity-hour.entity';
import { ActivityRecorderService } from './activity-recorder.service';
import { ActivityRepository } from './activity.repository';
import { StatisticsController } from './statistics.controller';
import { StatisticsService } from './statistics.service';

@Module({
  imports: [RepositoriesModule.forFeature([ActivityHour])],
  controllers: [StatisticsController],
  providers: [ActivityRepository, ActivityRecorderService, StatisticsService],
})
export class StatisticsModule {}

export const statisticsFeature: Feature = {
  module: StatisticsModule,
  entities: [ActivityHour],
  tags: { Statistics: 'Logins, sessions and messages over time' },
};
