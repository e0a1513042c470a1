export { AccountCount } from './account-count.entity';
export { ActivityHour } from './activity-hour.entity';
export { ActivityRecorderService } from './activity-recorder.service';
export * from './statistics.module';
