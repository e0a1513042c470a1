import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { newId } from '../../../platform/crypto';
import { CASTELLAN, prepared, Transactions } from '../../../platform/database';
import { PendingLogoutNotice } from './pending-logout-notice.entity';

/** A session that has ended, as the application knows it. */
export interface LogoutToTell {
  readonly clientId: string;
  readonly userId: string;
  readonly sid: string;
  /** Whether all sessions of the user have ended, not this one alone. */
  readonly allSessions: boolean;
}

export interface LogoutNotice extends LogoutToTell {
  readonly id: string;
  /** 0: these are its first tries. */
  readonly attempts: number;
}

const COLUMNS = `notice.id, notice.client_id AS "clientId", notice.user_id AS "userId", notice.sid,
  notice.all_sessions AS "allSessions", notice.attempts`;

/** Prepared: each logout asks it, for all applications at once. By the clock, not by the beginning of the transaction. The clients by a subquery, which reads no more than those. */
const ADD = prepared(
  `INSERT INTO logout_notice AS notice (id, client_id, user_id, sid, all_sessions, next_at)
   SELECT id, client_id, user_id, sid, all_sessions, clock_timestamp() + make_interval(secs => $6::int)
   FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::boolean[])
     AS told (id, client_id, user_id, sid, all_sessions)
   WHERE (SELECT client.enabled AND client.backchannel_logout_uri IS NOT NULL FROM oauth_client AS client
          WHERE client.client_id = told.client_id)
   RETURNING ${COLUMNS}`,
);

/** SQL: one statement finds, locks and takes them up. Some of each client, found by leaping from client to client, so that one that hangs keeps no other waiting. */
const CLAIM = `WITH RECURSIVE named AS (
     (SELECT client_id FROM logout_notice ORDER BY client_id LIMIT 1)
     UNION ALL
     SELECT (SELECT client_id FROM logout_notice WHERE client_id > named.client_id ORDER BY client_id LIMIT 1)
     FROM named WHERE named.client_id IS NOT NULL),
   due AS MATERIALIZED (
     SELECT one.id FROM named CROSS JOIN LATERAL (
       SELECT id FROM logout_notice
       WHERE client_id = named.client_id AND client_id <> ALL($5::text[]) AND next_at <= now()
       ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS one
     LIMIT $1)
   UPDATE logout_notice AS notice
   SET attempts = attempts + 1, next_at = now() + make_interval(secs => $3::int * 2 ^ least(attempts, $4::int))
   FROM due WHERE notice.id = due.id
   RETURNING ${COLUMNS}`;

/** SQL: a batch in which each row is compared with its own number of attempts. */
const GIVE_BACK = `UPDATE logout_notice AS notice
   SET attempts = notice.attempts - 1, next_at = now() + make_interval(secs => $3::int)
   FROM unnest($1::uuid[], $2::smallint[]) AS taken (id, attempts)
   WHERE notice.id = taken.id AND notice.attempts = taken.attempts`;

export interface Claim {
  readonly limit: number;
  readonly limitOfClient: number;
  /** Reserved until then; the time doubles with each attempt. */
  readonly seconds: number;
  readonly mostDoublings: number;
  /** Of these clients none is taken up. */
  readonly except: readonly string[];
}

@Injectable()
export class LogoutNoticeRepository {
  constructor(
    @InjectRepository(PendingLogoutNotice, CASTELLAN) private readonly notices: Repository<PendingLogoutNotice>,
    private readonly transactions: Transactions,
  ) {}

  /** For enabled clients that want notices only. Reserved until the time is over. */
  add(logouts: readonly LogoutToTell[], seconds: number): Promise<LogoutNotice[]> {
    return this.transactions.rows<LogoutNotice>(ADD, [
      logouts.map(() => newId()),
      logouts.map(({ clientId }) => clientId),
      logouts.map(({ userId }) => userId),
      logouts.map(({ sid }) => sid),
      logouts.map(({ allSessions }) => allSessions),
      seconds,
    ]);
  }

  /** Takes up those whose lease has expired. */
  claim({ limit, limitOfClient, seconds, mostDoublings, except }: Claim): Promise<LogoutNotice[]> {
    return this.transactions.rows<LogoutNotice>(CLAIM, [limit, limitOfClient, seconds, mostDoublings, except]);
  }

  /** Releases the lease, unless another instance has taken it since; it stays reserved until the time is over. */
  async giveBack(notices: readonly LogoutNotice[], seconds: number): Promise<void> {
    await this.transactions.affected(GIVE_BACK, [
      notices.map(({ id }) => id),
      notices.map(({ attempts }) => attempts),
      seconds,
    ]);
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.notices.delete({ id: Any(ids) });
  }

  async deleteOfClient(clientId: string): Promise<void> {
    await this.notices.delete({ clientId });
  }
}
