import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../platform/database';
import { CodeTarget } from './code-targets.service';
import { VerificationTarget } from './verification-target.entity';

/** The day of the daily limits. */
export interface CodeDay {
  /** Time of day, `HH:MM`. */
  readonly startsAt: string;
  /** IANA name. */
  readonly timeZone: string;
}

export interface SendLimits {
  readonly day: CodeDay;
  /** Sends per day. Below 0: no limit. */
  readonly daily: number;
  readonly resendSeconds: number;
}

/** The reason why a send was rejected. */
export interface SendError {
  readonly reason: 'daily_limit' | 'too_soon';
  readonly retryAfterSeconds: number;
}

type Place = Pick<CodeTarget, 'channel' | 'key'>;

/** Whose wrong codes are counted: those of the browser or session that requested the code, or of others. */
export type Attempter = 'own' | 'shared';

const WRONG: Readonly<Record<Attempter, string>> = { own: 'wrong_own', shared: 'wrong' };
/** The parameters $1 and $2 are the day's time zone and start. */
const TODAY = `(now() AT TIME ZONE $1::text - $2::interval)::date`;
const TOMORROW = `((${TODAY} + 1)::timestamp + $2::interval) AT TIME ZONE $1::text`;
const SECONDS_LEFT = `ceil(extract(epoch FROM ${TOMORROW} - now()))::int`;
/** Longer than the daily counts and the resend pause. */
const KEPT = `interval '2 days'`;

/** Counts sent messages and wrong codes per contact and day: one row for each contact, one statement for each rule. */
@Injectable()
export class CodeTargetRepository {
  constructor(
    @InjectRepository(VerificationTarget, CASTELLAN) private readonly targets: Repository<VerificationTarget>,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Counts a send if the limits allow it, also for concurrent calls on several instances. A day that begins earlier than
   * the counted one, after a change of the time zone, does not begin a new count. SQL: one compare-and-set with
   * ON CONFLICT.
   */
  async reserve(place: Place, { day, daily, resendSeconds }: SendLimits): Promise<boolean> {
    const rows = await this.transactions.manager.query<unknown[]>(
      `INSERT INTO verification_target AS known (channel, target, sent_on, sent, last_sent_at)
       VALUES ($3, $4, ${TODAY}, 1, now())
       ON CONFLICT (channel, target) DO UPDATE SET
         sent = CASE WHEN known.sent_on >= ${TODAY} THEN known.sent + 1 ELSE 1 END,
         sent_on = greatest(known.sent_on, ${TODAY}),
         last_sent_at = greatest(known.last_sent_at, now()),
         touched_at = now()
       WHERE ($5::int < 0 OR known.sent < $5::int OR known.sent_on IS NULL OR known.sent_on < ${TODAY})
         AND ($6::int = 0 OR known.last_sent_at IS NULL OR known.last_sent_at <= now() - make_interval(secs => $6::int))
       RETURNING sent`,
      [...dayAndPlace(day, place), daily, resendSeconds],
    );
    return rows.length > 0;
  }

  /** The reason why `reserve` failed. The daily limit takes precedence. SQL: uses the database's clock. */
  async explain(place: Place, { day, daily, resendSeconds }: SendLimits): Promise<SendError> {
    const [row] = await this.transactions.manager.query<{ isLimitReached: boolean; tomorrow: number; pause: number }[]>(
      `SELECT ($5::int >= 0 AND sent >= $5::int AND sent_on >= ${TODAY}) AS "isLimitReached",
         ${SECONDS_LEFT} AS tomorrow,
         ceil(extract(epoch FROM last_sent_at + make_interval(secs => $6::int) - now()))::int AS pause
       FROM verification_target WHERE channel = $3 AND target = $4`,
      [...dayAndPlace(day, place), daily, resendSeconds],
    );
    if (row?.isLimitReached) return { reason: 'daily_limit', retryAfterSeconds: Math.max(1, row.tomorrow) };
    return { reason: 'too_soon', retryAfterSeconds: Math.max(1, row?.pause ?? 1) };
  }

  /** Counts an attempt before it is verified. False if the day has `max` wrong attempts; null: no limit. SQL: see `reserve`. */
  async countFailure(
    place: Place,
    by: Attempter,
    { day, max }: { day: CodeDay; max: number | null },
  ): Promise<boolean> {
    const counted = WRONG[by];
    const other = WRONG[by === 'own' ? 'shared' : 'own'];
    const rows = await this.transactions.manager.query<unknown[]>(
      `INSERT INTO verification_target AS known (channel, target, ${counted}, wrong_on) VALUES ($3, $4, 1, ${TODAY})
       ON CONFLICT (channel, target) DO UPDATE SET
         ${counted} = CASE WHEN known.wrong_on >= ${TODAY} THEN known.${counted} + 1 ELSE 1 END,
         ${other} = CASE WHEN known.wrong_on >= ${TODAY} THEN known.${other} ELSE 0 END,
         wrong_on = greatest(known.wrong_on, ${TODAY}),
         touched_at = now()
       WHERE $5::int IS NULL OR known.${counted} < $5::int OR known.wrong_on IS NULL OR known.wrong_on < ${TODAY}
       RETURNING 1`,
      [...dayAndPlace(day, place), max],
    );
    return rows.length > 0;
  }

  /** Undoes the count of an attempt that was not wrong. */
  async undoFailure({ channel, key }: Place, by: Attempter): Promise<void> {
    const undone =
      by === 'own' ? { wrongOwn: () => 'greatest(wrong_own - 1, 0)' } : { wrong: () => 'greatest(wrong - 1, 0)' };
    await this.targets.update({ channel, target: key }, undone);
  }

  /** Seconds until the day ends. SQL: see `explain`. */
  async secondsLeft(day: CodeDay): Promise<number> {
    const [row] = await this.transactions.manager.query<{ seconds: number }[]>(`SELECT ${SECONDS_LEFT} AS seconds`, [
      day.timeZone,
      day.startsAt,
    ]);
    return Math.max(1, row?.seconds ?? 1);
  }

  /** SQL: a view of the database's time zones. */
  async knowsTimeZone(name: string): Promise<boolean> {
    const rows = await this.transactions.manager.query<unknown[]>(
      'SELECT 1 FROM pg_timezone_names WHERE lower(name) = lower($1) LIMIT 1',
      [name],
    );
    return rows.length > 0;
  }

  /** Deletes up to `limit` unused targets and returns their number. SQL: skips locked rows. */
  async deleteStale(limit: number): Promise<number> {
    const rows = await this.transactions.manager.query<unknown[]>(
      `WITH gone AS (
         DELETE FROM verification_target WHERE (channel, target) IN (
           SELECT channel, target FROM verification_target WHERE touched_at < now() - ${KEPT}
           LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING 1)
       SELECT 1 FROM gone`,
      [limit],
    );
    return rows.length;
  }
}

const dayAndPlace = ({ timeZone, startsAt }: CodeDay, { channel, key }: Place): unknown[] => [
  timeZone,
  startsAt,
  channel,
  key,
];
