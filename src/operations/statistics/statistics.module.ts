import { Module } from '@nestjs/common';
import { RepositoriesModule } from '../../platform/database';
import { Feature } from '../../platform/feature';
import { AccountCount } from './account-count.entity';
import { AccountCountRepository } from './account-count.repository';
import { ActivityHour } from './activity-hour.entity';
import { ActivityRecorderService } from './activity-recorder.service';
import { ActivityRepository } from './activity.repository';
import { FailedLoginsRepository } from './failed-logins.repository';
import { FailedLoginsService } from './failed-logins.service';
import { OverviewService } from './overview.service';
import { StatisticsController } from './statistics.controller';
import { StatisticsService } from './statistics.service';

@Module({
  imports: [RepositoriesModule.forFeature([ActivityHour, AccountCount])],
  controllers: [StatisticsController],
  providers: [
    AccountCountRepository,
    ActivityRepository,
    ActivityRecorderService,
    FailedLoginsRepository,
    FailedLoginsService,
    OverviewService,
    StatisticsService,
  ],
})
export class StatisticsModule {}

export const statisticsFeature: Feature = {
  module: StatisticsModule,
  entities: [ActivityHour, AccountCount],
  tags: { Statistics: 'Logins, sessions and messages over time' },
};
