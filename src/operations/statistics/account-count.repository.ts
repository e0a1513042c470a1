import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ENROLLED_USERS } from '../../mfa';
import { CASTELLAN, Transactions } from '../../platform/database';
import { AccountCount } from './account-count.entity';
import { KEPT_DAYS } from './activity.repository';

/** Shorter than the interval of the job, so that of several instances about one counts in each interval. */
const FRESH_SECONDS = 540;

const newSince = (days: number): string => `count(*) FILTER (WHERE created_at > now() - interval '${days} days')::int`;
const activeSince = (days: number): string =>
  `count(*) FILTER (WHERE last_login_at > now() - interval '${days} days')::int`;
const forEachRange = (count: (days: number) => string): string => `ARRAY[${[1, 7, 30, 90].map(count).join(', ')}]`;

/** Reads the table of users once. An hour keeps its latest count. SQL: aggregates of three tables. */
const COUNT = `
  INSERT INTO account_count (hour, counted_at, users, second_factor_users, new_users, active_users)
  SELECT date_trunc('hour', now(), 'UTC'), now(), count(*)::int, (
      SELECT count(DISTINCT user_id)::int FROM (${ENROLLED_USERS}) AS enrolled),
    ${forEachRange(newSince)}, ${forEachRange(activeSince)}
  FROM user_account
  ON CONFLICT (hour) DO UPDATE SET counted_at = excluded.counted_at, users = excluded.users,
    second_factor_users = excluded.second_factor_users, new_users = excluded.new_users,
    active_users = excluded.active_users
  WHERE account_count.counted_at < excluded.counted_at`;

/** Counts the accounts, and keeps the counts. */
@Injectable()
export class AccountCountRepository {
  constructor(
    @InjectRepository(AccountCount, CASTELLAN) private readonly counts: Repository<AccountCount>,
    private readonly transactions: Transactions,
  ) {}

  /** Counts now, unless an instance did so minutes ago or does so now, and deletes old counts. */
  keep(): Promise<void> {
    return this.transactions.run(async () => {
      if (!(await this.takeTurn()) || (await this.isFresh())) return;
      await this.transactions.rows(COUNT, []);
      await this.counts
        .createQueryBuilder()
        .delete()
        .where('hour < now() - make_interval(days => :days)', { days: KEPT_DAYS })
        .execute();
    });
  }

  findLatest(): Promise<AccountCount | null> {
    return this.counts.createQueryBuilder('count').orderBy('count.hour', 'DESC').limit(1).getOne();
  }

  /** The count nearest before the time, but at most three hours before it. */
  findAt(time: Date): Promise<AccountCount | null> {
    return this.counts
      .createQueryBuilder('count')
      .where(`count.hour <= :time AND count.hour > :time::timestamptz - interval '3 hours'`, { time })
      .orderBy('count.hour', 'DESC')
      .limit(1)
      .getOne();
  }

  /** Until the end of the transaction, no other instance has the turn. */
  private async takeTurn(): Promise<boolean> {
    const [row] = await this.transactions.rows<{ taken: boolean }>(
      `SELECT pg_try_advisory_xact_lock('account_count'::regclass::oid::bigint) AS taken`,
      [],
    );
    return row?.taken === true;
  }

  private isFresh(): Promise<boolean> {
    return this.counts
      .createQueryBuilder('count')
      .where('count.counted_at > now() - make_interval(secs => :seconds)', { seconds: FRESH_SECONDS })
      .getExists();
  }
}
