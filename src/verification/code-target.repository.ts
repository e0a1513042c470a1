import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../platform/database';
import { CodeTarget } from './code-targets.service';
import { VerificationTarget } from './verification-target.entity';

export interface SendLimits {
  /** Sends per UTC day. Below 0: no limit. */
  readonly daily: number;
  readonly resendSeconds: number;
}

/** The reason why a send was rejected. */
export interface SendError {
  readonly reason: 'daily_limit' | 'too_soon';
  readonly retryAfterSeconds: number;
}

type Place = Pick<CodeTarget, 'channel' | 'key'>;

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;
const WINDOW = `interval '1 hour'`;
/** Longer than the daily count, the resend pause and the attempt window. */
const KEPT = `interval '2 days'`;

/** Counts sent messages and wrong codes per contact: one row for each contact, one statement for each rule. */
@Injectable()
export class CodeTargetRepository {
  constructor(
    @InjectRepository(VerificationTarget, CASTELLAN) private readonly targets: Repository<VerificationTarget>,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Counts a send if the limits allow it, also for concurrent calls on several instances. SQL: one compare-and-set with
   * ON CONFLICT.
   */
  async reserve({ channel, key }: Place, { daily, resendSeconds }: SendLimits): Promise<boolean> {
    const rows = await this.transactions.manager.query<unknown[]>(
      `INSERT INTO verification_target AS known (channel, target, sent_on, sent, last_sent_at)
       VALUES ($1, $2, ${TODAY}, 1, now())
       ON CONFLICT (channel, target) DO UPDATE SET
         sent = CASE WHEN known.sent_on >= ${TODAY} THEN known.sent + 1 ELSE 1 END,
         sent_on = greatest(known.sent_on, ${TODAY}),
         last_sent_at = greatest(known.last_sent_at, now()),
         touched_at = now()
       WHERE ($3::int < 0 OR known.sent < $3::int OR known.sent_on IS NULL OR known.sent_on < ${TODAY})
         AND ($4::int = 0 OR known.last_sent_at IS NULL OR known.last_sent_at <= now() - make_interval(secs => $4::int))
       RETURNING sent`,
      [channel, key, daily, resendSeconds],
    );
    return rows.length > 0;
  }

  /** The reason why `reserve` failed. The daily limit takes precedence. SQL: uses the database's clock. */
  async explain({ channel, key }: Place, { daily, resendSeconds }: SendLimits): Promise<SendError> {
    const [row] = await this.transactions.manager.query<{ isLimitReached: boolean; tomorrow: number; pause: number }[]>(
      `SELECT ($3::int >= 0 AND sent >= $3::int AND sent_on >= ${TODAY}) AS "isLimitReached",
         ceil(extract(epoch FROM ((${TODAY} + 1)::timestamp AT TIME ZONE 'UTC') - now()))::int AS tomorrow,
         ceil(extract(epoch FROM last_sent_at + make_interval(secs => $4::int) - now()))::int AS pause
       FROM verification_target WHERE channel = $1 AND target = $2`,
      [channel, key, daily, resendSeconds],
    );
    if (row?.isLimitReached) return { reason: 'daily_limit', retryAfterSeconds: Math.max(1, row.tomorrow) };
    return { reason: 'too_soon', retryAfterSeconds: Math.max(1, row?.pause ?? 1) };
  }

  /** Counts an attempt before it is verified. False if the hour has `max` wrong attempts. SQL: see `reserve`. */
  async countFailure({ channel, key }: Place, max: number): Promise<boolean> {
    const rows = await this.transactions.manager.query<unknown[]>(
      `INSERT INTO verification_target AS known (channel, target, wrong, wrong_since) VALUES ($1, $2, 1, now())
       ON CONFLICT (channel, target) DO UPDATE SET
         wrong = CASE WHEN known.wrong_since > now() - ${WINDOW} THEN known.wrong + 1 ELSE 1 END,
         wrong_since = CASE WHEN known.wrong_since > now() - ${WINDOW} THEN known.wrong_since ELSE now() END,
         touched_at = now()
       WHERE known.wrong < $3::int OR known.wrong_since IS NULL OR known.wrong_since <= now() - ${WINDOW}
       RETURNING wrong`,
      [channel, key, max],
    );
    return rows.length > 0;
  }

  /** Undoes the count of a correct attempt. */
  async undoFailure({ channel, key }: Place): Promise<void> {
    await this.targets.update({ channel, target: key }, { wrong: () => 'greatest(wrong - 1, 0)' });
  }

  /** Seconds until the contact's codes accept attempts again. SQL: see `explain`. */
  async secondsUntilOpen({ channel, key }: Place): Promise<number> {
    const [row] = await this.transactions.manager.query<{ seconds: number | null }[]>(
      `SELECT ceil(extract(epoch FROM wrong_since + ${WINDOW} - now()))::int AS seconds
       FROM verification_target WHERE channel = $1 AND target = $2`,
      [channel, key],
    );
    return Math.max(1, row?.seconds ?? 1);
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
