import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The accounts at one time in an hour. Counting reads the whole table, so requests read these counts. */
@Entity({ name: 'account_count' })
export class AccountCount {
  /** The start of the hour. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3, primaryKeyConstraintName: 'account_count_pk' }) hour: Date;

  @Column({ name: 'counted_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) countedAt: Date;

  @Column({ type: 'int' }) users: number;

  /** Users with an authenticator app or a passkey. */
  @Column({ name: 'second_factor_users', type: 'int' }) secondFactorUsers: number;

  /** Users created in the last 1, 7, 30 and 90 days, in this order. */
  @Column({ name: 'new_users', type: 'int', array: true }) newUsers: readonly number[];

  /** Users whose last login was in the last 1, 7, 30 and 90 days, in this order. */
  @Column({ name: 'active_users', type: 'int', array: true }) activeUsers: readonly number[];
}
