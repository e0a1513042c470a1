import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What happened in one hour that is over. It stays when the rows it was counted from are gone. */
@Entity({ name: 'activity_hour' })
export class ActivityHour {
  /** Its beginning. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3, primaryKeyConstraintName: 'activity_hour_pk' }) hour: Date;

  @Column({ type: 'int' }) logins: number;

  @Column({ name: 'failed_logins', type: 'int' }) failedLogins: number;

  /** Messages that a provider accepted. */
  @Column({ type: 'int' }) deliveries: number;

  /** Messages that were rejected or throttled, or of which nobody knows. */
  @Column({ name: 'failed_deliveries', type: 'int' }) failedDeliveries: number;

  /** At the end of the hour; null where nobody counted while it could still be known. */
  @Column({ name: 'active_sessions', type: 'int', nullable: true }) activeSessions: number | null;
}
