import { Injectable } from '@nestjs/common';
import { prepared, readById, BatchedLookup, Transactions } from '../platform/database';
import { Session } from './session.entity';

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly loginMethod: string;
  readonly remember: boolean;
  readonly amr: readonly string[];
  /** A second factor was proved at the login. */
  readonly hasSecondFactor: boolean;
  readonly ip: string;
  readonly userAgent: string;
  readonly device: Session['device'];
}

export interface Lifetimes {
  readonly idleSeconds: number;
  readonly absoluteSeconds: number;
}

/** What a user proved anew within a session. */
export interface Reauthentication {
  readonly first: boolean;
  readonly second: boolean;
  readonly amr: readonly string[];
}

/** A session with the database's time it was read at. */
export type SessionWithDbTime = Omit<Session, 'purgeAt'> & { readonly now: Date };

/** What browsers are told of a session, and what their cookies are made of. */
export type SessionSummary = Omit<SessionWithDbTime, 'authenticatedAt' | 'secondFactorAt' | 'absoluteExpiresAt'>;

/** A new session, and the ids of those that ended for it. */
export interface OpenedSession {
  readonly session: SessionWithDbTime;
  readonly evicted: readonly string[];
}

export interface TokensFound {
  readonly holder: string | null;
  readonly last: string | null;
}

const COLUMNS = `session.id, session.user_id AS "userId", session.counter, session.login_method AS "loginMethod",
  session.remember, session.ip, session.user_agent AS "userAgent", session.device, session.created_at AS "createdAt",
  session.authenticated_at AS "authenticatedAt", session.amr, session.second_factor_at AS "secondFactorAt", session.last_seen_at AS "lastSeenAt",
  session.rotated_at AS "rotatedAt", session.expires_at AS "expiresAt",
  session.absolute_expires_at AS "absoluteExpiresAt", session.revoked_at AS "revokedAt", now() AS now`;

const LIVE = 'session.revoked_at IS NULL AND session.expires_at > now()';
const KEPT_AFTER_END = `interval '1 day'`;

/** Prepared, and many sessions at once: nearly every request asks it. */
const FIND = readById((id) => `SELECT ${COLUMNS} FROM session WHERE session.id = ${id}`);

/**
 * Not prepared: a plan kept from when there were few sessions would read the whole table. One row has the time even where no
 * session has ended.
 */
const FIND_REVOKED = `SELECT now(), ARRAY(
     SELECT id FROM session WHERE revoked_at > now() - make_interval(secs => $1::int) LIMIT $2::int) AS ids`;

/** Prepared: each logout asks it. One compare-and-set returns the row, by which of parallel calls one is answered. */
const REVOKE = prepared(
  `UPDATE session SET revoked_at = now() WHERE session.id = $1 AND session.user_id = $2 AND ${LIVE} RETURNING id`,
);

/*
 * The plan of a prepared statement outlives the few rows it was made for, and ids by IN would join all sessions with it:
 * the user is named twice, so that only the user's are read. By id alone is one evicted that is just being refreshed, too.
 */
const OPEN = prepared(
  `WITH touched AS (UPDATE user_account SET last_login_at = now() WHERE id = $2),
   evicted AS (
     UPDATE session SET revoked_at = now()
     WHERE user_id = $2 AND ${LIVE} AND id = ANY(ARRAY(
       SELECT id FROM session WHERE user_id = $2 AND ${LIVE} ORDER BY last_seen_at DESC, id DESC OFFSET $12))
     RETURNING id),
   opened AS (
     INSERT INTO session (id, user_id, login_method, remember, ip, user_agent, device, expires_at, purge_at,
       absolute_expires_at, amr, second_factor_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, now() + make_interval(secs => least($8::int, $9::int)),
       now() + make_interval(secs => least($8::int, $9::int)) + ${KEPT_AFTER_END},
       now() + make_interval(secs => $9::int), $10::jsonb, CASE WHEN $11::boolean THEN now() END)
     RETURNING *)
   SELECT ${COLUMNS}, ARRAY(SELECT id FROM evicted) AS evicted FROM opened AS session`,
);

@Injectable()
export class SessionRepository {
  private readonly byId: BatchedLookup<SessionWithDbTime>;

  constructor(private readonly transactions: Transactions) {
    this.byId = new BatchedLookup(transactions, FIND);
  }

  /**
   * A login, in one statement: the session, the user's last login (no change of the account: `updated_at` stays), and the
   * end of those beyond `most`. The newest session and those seen last are kept.
   */
  async open(session: NewSession, { idleSeconds, absoluteSeconds }: Lifetimes, most: number): Promise<OpenedSession> {
    const [row] = await this.transactions.rows<SessionWithDbTime & Pick<OpenedSession, 'evicted'>>(OPEN, [
      session.id,
      session.userId,
      session.loginMethod,
      session.remember,
      session.ip,
      session.userAgent,
      JSON.stringify(session.device),
      idleSeconds,
      absoluteSeconds,
      JSON.stringify(session.amr),
      session.hasSecondFactor,
      most - 1,
    ]);
    if (!row) throw new Error(`Session ${session.id} was not inserted`);
    const { evicted, ...opened } = row;
    return { session: opened, evicted };
  }

  async find(id: string): Promise<SessionWithDbTime | undefined> {
    const [session] = await this.byId.rows(id);
    return session;
  }

  /** SQL: each row comes with the database's time, as `find` answers it. */
  async listLive(userId: string): Promise<SessionWithDbTime[]> {
    return this.transactions.manager.query(
      `SELECT ${COLUMNS} FROM session WHERE session.user_id = $1 AND ${LIVE}
       ORDER BY session.last_seen_at DESC, session.id DESC`,
      [userId],
    );
  }

  /** Up to `limit` sessions ended in transactions that began within the last `seconds`, and the database's time. */
  async findRevoked(seconds: number, limit: number): Promise<{ readonly ids: readonly string[]; readonly now: Date }> {
    const [row] = await this.transactions.rows<{ ids: string[]; now: Date }>(FIND_REVOKED, [seconds, limit]);
    if (!row) throw new Error('The database did not say which sessions have ended');
    return row;
  }

  /** Ends one live session of the user; answers whether there was one. */
  async revoke(id: string, userId: string): Promise<boolean> {
    return (await this.transactions.rows(REVOKE, [id, userId])).length > 0;
  }

  /** Ends every live session of the user but the one to keep, and answers their ids. SQL: one statement does both. */
  revokeAll(userId: string, keep: string | null): Promise<string[]> {
    return this.end('session.user_id = $1 AND session.id IS DISTINCT FROM $2::uuid', [userId, keep]);
  }

  /**
   * Notes which proofs were given just now, and returns the session since; the references are added to those of the login.
   * SQL: one statement merges JSON in the row and returns it with the database's time.
   */
  async touchAuthenticated(
    id: string,
    { first, second, amr }: Reauthentication,
  ): Promise<SessionWithDbTime | undefined> {
    const [session] = await this.transactions.rows<SessionWithDbTime>(
      `UPDATE session SET authenticated_at = CASE WHEN $2::boolean THEN now() ELSE authenticated_at END,
         second_factor_at = CASE WHEN $3::boolean THEN now() ELSE second_factor_at END,
         amr = (SELECT coalesce(jsonb_agg(DISTINCT value), '[]') FROM jsonb_array_elements(amr || $4::jsonb))
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, first, second, JSON.stringify(amr)],
    );
    return session;
  }

  /**
   * Notes when sessions were last seen. It waits for nobody, so it is in no deadlock, whatever order the rows come in: who
   * has a row locked is refreshing the session, ending it or noting the same. SQL: a batch that skips locked rows.
   */
  async touchSeen(seen: readonly { id: string; at: Date }[]): Promise<void> {
    await this.transactions.manager.query(
      `WITH free AS (SELECT id FROM session WHERE id = ANY($1::uuid[]) FOR NO KEY UPDATE SKIP LOCKED)
       UPDATE session SET last_seen_at = greatest(session.last_seen_at, seen.at)
       FROM unnest($1::uuid[], $2::timestamptz[]) AS seen (id, at) JOIN free ON free.id = seen.id
       WHERE session.id = seen.id`,
      [seen.map(({ id }) => id), seen.map(({ at }) => at.toISOString())],
    );
  }

  /**
   * Looks at up to `limit` sessions from this id on, in their order: the first that lives and whose tokens were last made
   * before then, and the last that was looked at, where there may be more. SQL: one walk along the primary key answers both.
   */
  async findTokensFromBefore(time: Date, from: string, limit: number): Promise<TokensFound> {
    const [found] = await this.transactions.rows<TokensFound>(
      `WITH looked AS (
         SELECT id, rotated_at < $1 AND ${LIVE} AS holds FROM session WHERE id >= $2 ORDER BY id LIMIT $3)
       SELECT (SELECT id FROM looked WHERE holds ORDER BY id LIMIT 1) AS holder,
         (SELECT id FROM looked ORDER BY id OFFSET $3 - 1) AS last`,
      [time.toISOString(), from, limit],
    );
    return found ?? { holder: null, last: null };
  }

  /** Sessions that have not ended. SQL: by the database's clock. */
  async countActive(): Promise<number> {
    const [row] = await this.transactions.manager.query<[{ active: number }]>(
      'SELECT count(*)::int AS active FROM session WHERE revoked_at IS NULL AND expires_at > now()',
    );
    return row.active;
  }

  /**
   * Looks at up to `limit` sessions whose time to be looked at has come, and answers how many. Those that expired more than
   * a day ago are deleted; what a refresh has prolonged since waits for its new end. SQL: a batch that skips locked rows.
   */
  async purgeExpired(limit: number): Promise<number> {
    const [row] = await this.transactions.rows<{ count: number }>(
      `WITH due AS (
         SELECT id, expires_at + ${KEPT_AFTER_END} AS until FROM session WHERE purge_at <= now()
         LIMIT $1 FOR UPDATE SKIP LOCKED),
       kept AS (UPDATE session SET purge_at = due.until FROM due WHERE session.id = due.id AND due.until > now()),
       gone AS (DELETE FROM session USING due WHERE session.id = due.id AND due.until <= now())
       SELECT count(*)::int AS count FROM due`,
      [limit],
    );
    return row?.count ?? 0;
  }

  /** Deletes up to `limit` sessions that were ended more than a day ago, and answers how many. SQL: as `purgeExpired`. */
  async deleteRevoked(limit: number): Promise<number> {
    const rows = await this.transactions.rows(
      `DELETE FROM session WHERE id IN (
         SELECT id FROM session WHERE revoked_at < now() - ${KEPT_AFTER_END} LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [limit],
    );
    return rows.length;
  }

  private async end(condition: string, parameters: unknown[]): Promise<string[]> {
    const rows = await this.transactions.rows<{ id: string }>(
      `UPDATE session SET revoked_at = now() WHERE ${condition} AND ${LIVE} RETURNING id`,
      parameters,
    );
    return rows.map(({ id }) => id);
  }
}
