export { ActivityHour } from './activity-hour.entity';
export { ActivityRecorder } from './activity-recorder';
export * from './statistics.module';
