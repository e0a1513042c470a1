import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The counts of one completed hour. They are kept when the counted rows are deleted. */
@Entity({ name: 'activity_hour' })
export class ActivityHour {
  /** The start of the hour. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3, primaryKeyConstraintName: 'activity_hour_pk' }) hour: Date;

  @Column({ type: 'int' }) logins: number;

  @Column({ name: 'failed_logins', type: 'int' }) failedLogins: number;

  /** Messages that a provider accepted. */
  @Column({ type: 'int' }) deliveries: number;

  /** Messages that were rejected or throttled, or whose outcome is unknown. */
  @Column({ name: 'failed_deliveries', type: 'int' }) failedDeliveries: number;

  /** At the end of the hour. null if it was not counted in time. */
  @Column({ name: 'active_sessions', type: 'int', nullable: true }) activeSessions: number | null;

  /** Logins by login method. null in hours that were stored before methods were counted. */
  @Column({ type: 'jsonb', nullable: true }) methods: Readonly<Record<string, number>> | null;
}
