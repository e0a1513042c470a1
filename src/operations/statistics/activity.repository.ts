import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../platform/database';
import { ActivityHour } from './activity-hour.entity';

/** The hours that are not stored yet, each by its start. */
export interface OpenHours {
  /** The first hour that is not stored. */
  readonly first: Date;
  /** The last hour that is complete, so that no late commit can still add to it. */
  readonly lastSettled: Date;
  readonly current: Date;
}

/** How long counts are kept, longer than the longest range and the one before it. */
export const KEPT_DAYS = 190;
/** A transaction that starts within an hour may commit after its end. */
const SETTLE_MINUTES = 10;

/**
 * Counts each hour from $1 to $2. Events and messages are read once through the index on time, sessions all at once.
 * Ended sessions are kept for a day, so older hours have no count of sessions. The current hour is counted up to now.
 * SQL: aggregates of four tables.
 */
const COUNTS = `
  SELECT slot AS hour,
    coalesce(login.succeeded, 0)::int AS logins,
    coalesce(login.failed, 0)::int AS failed_logins,
    coalesce(delivery.accepted, 0)::int AS deliveries,
    coalesce(delivery.failed, 0)::int AS failed_deliveries,
    CASE WHEN slot > now() - interval '22 hours' THEN (
      SELECT count(*)::int FROM session, least(slot + interval '1 hour', now()) AS moment
      WHERE created_at <= moment AND expires_at > moment AND (revoked_at IS NULL OR revoked_at > moment)
    ) END AS active_sessions,
    coalesce(login.methods, '{}') AS methods
  FROM generate_series($1::timestamptz, $2::timestamptz, interval '1 hour') AS slot
  LEFT JOIN (
    SELECT hour, sum(logins) FILTER (WHERE outcome = 'success') AS succeeded,
      sum(logins) FILTER (WHERE outcome = 'failure') AS failed,
      jsonb_object_agg(method, logins) FILTER (WHERE outcome = 'success' AND method IS NOT NULL) AS methods
    FROM (
      SELECT date_trunc('hour', at, 'UTC') AS hour, outcome, after ->> 'method' AS method, count(*)::int AS logins
      FROM audit_event
      WHERE action = 'login' AND at >= $1::timestamptz AND at < $2::timestamptz + interval '1 hour' GROUP BY 1, 2, 3
    ) AS counted GROUP BY hour
  ) AS login ON login.hour = slot
  LEFT JOIN (
    SELECT date_trunc('hour', at, 'UTC') AS hour,
      count(*) FILTER (WHERE outcome = 'accepted') AS accepted, count(*) FILTER (WHERE outcome <> 'accepted') AS failed
    FROM message_delivery
    WHERE at >= $1::timestamptz AND at < $2::timestamptz + interval '1 hour' GROUP BY 1
  ) AS delivery ON delivery.hour = slot`;

interface CountedRow {
  readonly hour: Date;
  readonly logins: number;
  readonly failed_logins: number;
  readonly deliveries: number;
  readonly failed_deliveries: number;
  readonly active_sessions: number | null;
  readonly methods: Readonly<Record<string, number>>;
}

/** Counts logins, sessions and messages per hour, and stores the counts. */
@Injectable()
export class ActivityRepository {
  constructor(
    @InjectRepository(ActivityHour, CASTELLAN) private readonly hours: Repository<ActivityHour>,
    private readonly transactions: Transactions,
  ) {}

  /** SQL: one row computed by the database's clock. */
  async openHours(): Promise<OpenHours> {
    const [row] = await this.transactions.manager.query<[{ first: Date; last_settled: Date; current: Date }]>(
      `SELECT greatest(
           coalesce(max(hour) + interval '1 hour', '-infinity'),
           date_trunc('hour', now(), 'UTC') - make_interval(days => $1)) AS first,
         date_trunc('hour', now() - make_interval(mins => $2), 'UTC') - interval '1 hour' AS last_settled,
         date_trunc('hour', now(), 'UTC') AS current
       FROM activity_hour`,
      [KEPT_DAYS, SETTLE_MINUTES],
    );
    return { first: row.first, lastSettled: row.last_settled, current: row.current };
  }

  /** The stored hours from `first` up to, but not including, `end`. */
  findBetween(first: Date, end: Date): Promise<ActivityHour[]> {
    return this.hours
      .createQueryBuilder('activity')
      .where('activity.hour >= :first AND activity.hour < :end', { first, end })
      .orderBy('activity.hour')
      .getMany();
  }

  async count(first: Date, last: Date): Promise<ActivityHour[]> {
    const rows = await this.transactions.manager.query<CountedRow[]>(`${COUNTS} ORDER BY slot`, [first, last]);
    return rows.map((row) => ({
      hour: row.hour,
      logins: row.logins,
      failedLogins: row.failed_logins,
      deliveries: row.deliveries,
      failedDeliveries: row.failed_deliveries,
      activeSessions: row.active_sessions,
      methods: row.methods,
    }));
  }

  /** Concurrent writes of several instances keep the first. SQL: the counts never leave the database. */
  async write(first: Date, last: Date): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO activity_hour (hour, logins, failed_logins, deliveries, failed_deliveries, active_sessions, methods)
       ${COUNTS} ON CONFLICT DO NOTHING`,
      [first, last],
    );
  }

  async deleteOld(): Promise<void> {
    await this.hours
      .createQueryBuilder()
      .delete()
      .where('hour < now() - make_interval(days => :days)', { days: KEPT_DAYS })
      .execute();
  }
}
