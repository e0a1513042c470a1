import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { newId } from '../../../platform/crypto';
import { CASTELLAN, preparedStatement, Transactions } from '../../../platform/database';
import { AttemptResult } from '../../../platform/outbound/deliveries';
import { PendingLogoutNotice } from './pending-logout-notice.entity';

/** An ended session, with the ids that the application knows. */
export interface LogoutTarget {
  readonly clientId: string;
  readonly userId: string;
  readonly sid: string;
  /** Whether all sessions of the user have ended, not only this one. */
  readonly allSessions: boolean;
}

export interface LogoutNotice extends LogoutTarget {
  readonly id: string;
  /** That have failed. */
  readonly attempts: number;
}

const COLUMNS = `notice.id, notice.client_id AS "clientId", notice.user_id AS "userId", notice.sid,
  notice.all_sessions AS "allSessions", notice.attempts`;

/**
 * Prepared, because each logout runs it, for all applications at once. Uses the current time instead of the
 * transaction's start. The subquery reads only the clients concerned.
 */
const ADD = preparedStatement(
  `INSERT INTO logout_notice AS notice (id, client_id, user_id, sid, all_sessions, next_at)
   SELECT id, client_id, user_id, sid, all_sessions, clock_timestamp() + make_interval(secs => $6::int)
   FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::boolean[])
     AS told (id, client_id, user_id, sid, all_sessions)
   WHERE (SELECT client.enabled AND client.backchannel_logout_uri IS NOT NULL FROM oauth_client AS client
          WHERE client.client_id = told.client_id)
   RETURNING ${COLUMNS}`,
);

/**
 * SQL: one statement finds, locks and leases notices. The recursive query takes some of each client, so that a hanging
 * client does not block others.
 */
const CLAIM = `WITH RECURSIVE named AS (
     (SELECT client_id FROM logout_notice ORDER BY client_id LIMIT 1)
     UNION ALL
     SELECT (SELECT client_id FROM logout_notice WHERE client_id > named.client_id ORDER BY client_id LIMIT 1)
     FROM named WHERE named.client_id IS NOT NULL),
   due AS MATERIALIZED (
     SELECT one.id FROM named CROSS JOIN LATERAL (
       SELECT id FROM logout_notice
       WHERE client_id = named.client_id AND client_id <> ALL($4::text[]) AND next_at <= now()
       ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS one
     LIMIT $1)
   UPDATE logout_notice AS notice
   SET next_at = now() + make_interval(secs => $3::int)
   FROM due WHERE notice.id = due.id
   RETURNING ${COLUMNS}`;

/** SQL: a batch of different results. Rows of delivered notices are deleted, and of those that are given up. */
const SETTLE = `WITH result AS MATERIALIZED (
     SELECT id, state, attempts, "delaySeconds"
     FROM jsonb_to_recordset($1::jsonb) AS result (id uuid, state text, attempts int, "delaySeconds" float8)),
   ended AS (DELETE FROM logout_notice WHERE id IN (SELECT id FROM result WHERE state <> 'pending'))
   UPDATE logout_notice AS notice
   SET attempts = result.attempts, next_at = now() + make_interval(secs => result."delaySeconds")
   FROM result WHERE notice.id = result.id AND result.state = 'pending'`;

/** SQL: an age by the database clock. The table holds only undelivered notices. */
const OLDEST = `SELECT coalesce(extract(epoch FROM now() - min(made_at)), 0)::float8 AS seconds FROM logout_notice`;

export interface Claim {
  readonly limit: number;
  readonly limitOfClient: number;
  /** The lease. */
  readonly seconds: number;
  /** Clients whose notices are skipped. */
  readonly except: readonly string[];
}

@Injectable()
export class LogoutNoticeRepository {
  constructor(
    @InjectRepository(PendingLogoutNotice, CASTELLAN) private readonly notices: Repository<PendingLogoutNotice>,
    private readonly transactions: Transactions,
  ) {}

  /** Adds notices for enabled clients with a logout URI, leased for the given time. */
  add(logouts: readonly LogoutTarget[], seconds: number): Promise<LogoutNotice[]> {
    return this.transactions.rows<LogoutNotice>(ADD, [
      logouts.map(() => newId()),
      logouts.map(({ clientId }) => clientId),
      logouts.map(({ userId }) => userId),
      logouts.map(({ sid }) => sid),
      logouts.map(({ allSessions }) => allSessions),
      seconds,
    ]);
  }

  /** Leases notices that are due. */
  claim({ limit, limitOfClient, seconds, except }: Claim): Promise<LogoutNotice[]> {
    return this.transactions.rows<LogoutNotice>(CLAIM, [limit, limitOfClient, seconds, except]);
  }

  /** Ends the leases. SQL: the column rounds to milliseconds, which must not put the time into the future. */
  async release(ids: readonly string[]): Promise<void> {
    await this.notices.update({ id: Any(ids) }, { nextAt: () => `date_trunc('milliseconds', now())` });
  }

  async settle(results: readonly AttemptResult[]): Promise<void> {
    await this.transactions.affected(SETTLE, [JSON.stringify(results)]);
  }

  /** Age of the oldest notice in seconds, 0 without one. */
  async oldestSeconds(): Promise<number> {
    const [row] = await this.transactions.rows<{ seconds: number }>(OLDEST, []);
    return row?.seconds ?? 0;
  }

  async deleteOfClient(clientId: string): Promise<void> {
    await this.notices.delete({ clientId });
  }
}
