import { Injectable } from '@nestjs/common';
import { preparedStatement, readById, BatchedLookup, Transactions } from '../../platform/database';
import { Session } from './session.entity';

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly loginMethod: string;
  readonly remember: boolean;
  readonly amr: readonly string[];
  /** Whether the login verified a second factor. */
  readonly hasSecondFactor: boolean;
  readonly ip: string;
  readonly userAgent: string;
  readonly device: Session['device'];
}

export interface Lifetimes {
  readonly idleSeconds: number;
  readonly absoluteSeconds: number;
}

/** What the user verified again within a session. */
export interface Reauthentication {
  readonly first: boolean;
  readonly second: boolean;
  readonly amr: readonly string[];
}

/** A session with the database time of the read. */
export type SessionWithDbTime = Omit<Session, 'purgeAt'> & { readonly now: Date };

/** A session as browsers see it and as its cookies need it. */
export type SessionSummary = Omit<SessionWithDbTime, 'authenticatedAt' | 'secondFactorAt' | 'absoluteExpiresAt'>;

/** A new session with the ids of the sessions that ended for it. */
export interface OpenedSession {
  readonly session: SessionWithDbTime;
  readonly evicted: readonly string[];
}

export interface TokensFound {
  readonly holder: string | null;
  readonly last: string | null;
}

/** SQL: what is read of a session. */
export const COLUMNS = `session.id, session.user_id AS "userId", session.counter, session.login_method AS "loginMethod",
  session.remember, session.ip, session.user_agent AS "userAgent", session.device, session.created_at AS "createdAt",
  session.authenticated_at AS "authenticatedAt", session.amr, session.second_factor_at AS "secondFactorAt", session.last_seen_at AS "lastSeenAt",
  session.rotated_at AS "rotatedAt", session.expires_at AS "expiresAt",
  session.absolute_expires_at AS "absoluteExpiresAt", session.revoked_at AS "revokedAt",
  session.actor_id AS "actorId", session.actor_name AS "actorName", session.actor_session_id AS "actorSessionId",
  now() AS now`;

/** SQL: the session has neither ended nor expired. */
export const LIVE = 'session.revoked_at IS NULL AND session.expires_at > now()';
export const KEPT_AFTER_END = `interval '1 day'`;

/** Prepared and batched, because nearly every request runs it. */
const FIND = readById((id) => `SELECT ${COLUMNS} FROM session WHERE session.id = ${id}`);

/**
 * Not prepared: a plan cached while there were few sessions would scan the whole table. Returns one row with the time
 * even when no session has ended.
 */
const FIND_REVOKED = `SELECT now(), ARRAY(
     SELECT id FROM session WHERE revoked_at > now() - make_interval(secs => $1::int) LIMIT $2::int) AS ids`;

/** Prepared because every logout runs it. A compare-and-set: of parallel calls only one gets the row. */
const REVOKE = preparedStatement(
  `UPDATE session SET revoked_at = now() WHERE session.id = $1 AND session.user_id = $2 AND ${LIVE} RETURNING id`,
);

/*
 * Names the user twice, so that only the user's sessions are read. The cached plan outlives the few rows it was planned
 * for, and `id IN (…)` would join all sessions. Evicts by id alone, so that a session that is being refreshed is
 * evicted too. Sessions in which others act as the user do not count.
 */
const OPEN = preparedStatement(
  `WITH touched AS (UPDATE user_account SET last_login_at = now() WHERE id = $2),
   evicted AS (
     UPDATE session SET revoked_at = now()
     WHERE user_id = $2 AND ${LIVE} AND id = ANY(ARRAY(
       SELECT id FROM session WHERE user_id = $2 AND actor_id IS NULL AND ${LIVE} ORDER BY last_seen_at DESC, id DESC OFFSET $12))
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

/**
 * SQL instead of `Repository<Session>`: opening and ending are single compare-and-set statements, and each row carries
 * the database's `now()`.
 */
@Injectable()
export class SessionRepository {
  private readonly byId: BatchedLookup<SessionWithDbTime>;

  constructor(private readonly transactions: Transactions) {
    this.byId = new BatchedLookup(transactions, FIND);
  }

  /**
   * A login in one statement: inserts the session, sets the user's last login (`updated_at` stays) and ends sessions
   * beyond `max`. Keeps the new session and those seen last.
   */
  async open(session: NewSession, { idleSeconds, absoluteSeconds }: Lifetimes, max: number): Promise<OpenedSession> {
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
      max - 1,
    ]);
    if (!row) throw new Error(`Session ${session.id} was not inserted`);
    const { evicted, ...opened } = row;
    return { session: opened, evicted };
  }

  async find(id: string): Promise<SessionWithDbTime | undefined> {
    const [session] = await this.byId.rows(id);
    return session;
  }

  /** Raw SQL, because each row needs the database's time, as in `find`. */
  async listLive(userId: string): Promise<SessionWithDbTime[]> {
    return this.transactions.manager.query(
      `SELECT ${COLUMNS} FROM session WHERE session.user_id = $1 AND ${LIVE}
       ORDER BY session.last_seen_at DESC, session.id DESC`,
      [userId],
    );
  }

  /** Up to `limit` sessions revoked in transactions that began within the last `seconds`, and the database's time. */
  async findRevoked(seconds: number, limit: number): Promise<{ readonly ids: readonly string[]; readonly now: Date }> {
    const [row] = await this.transactions.rows<{ ids: string[]; now: Date }>(FIND_REVOKED, [seconds, limit]);
    if (!row) throw new Error('The query for revoked sessions returned no row');
    return row;
  }

  /** Ends one live session of the user. Returns whether it existed. */
  async revoke(id: string, userId: string): Promise<boolean> {
    return (await this.transactions.rows(REVOKE, [id, userId])).length > 0;
  }

  /** Ends every live session of the user except `keep` and returns their ids. Raw SQL for one statement. */
  revokeAll(userId: string, keep: string | null): Promise<string[]> {
    return this.end('session.user_id = $1 AND session.id IS DISTINCT FROM $2::uuid', [userId, keep]);
  }

  /** Ends every live session of the users and returns the ids by user. Raw SQL for one statement. */
  async revokeAllOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    const rows = await this.transactions.rows<{ id: string; userId: string }>(
      `UPDATE session SET revoked_at = now() WHERE session.user_id = ANY($1::uuid[]) AND ${LIVE}
       RETURNING id, user_id AS "userId"`,
      [userIds],
    );
    const ended = new Map<string, string[]>();
    for (const { id, userId } of rows) ended.set(userId, [...(ended.get(userId) ?? []), id]);
    return ended;
  }

  /** Ends the user's live sessions that began at or after the time and returns their ids. */
  revokeSince(userId: string, since: Date): Promise<string[]> {
    return this.end('session.user_id = $1 AND session.created_at >= $2', [userId, since.toISOString()]);
  }

  /**
   * Up to `limit` users after the id `after`, by id, who have live sessions that began at or after `since`. Raw SQL for
   * one walk along the index of users.
   */
  async findUsersWithLive(since: Date | null, after: string, limit: number): Promise<string[]> {
    const rows = await this.transactions.rows<{ user_id: string }>(
      `SELECT DISTINCT session.user_id FROM session
       WHERE session.user_id > $1 AND ${LIVE} AND ($2::timestamptz IS NULL OR session.created_at >= $2)
       ORDER BY session.user_id LIMIT $3`,
      [after, since?.toISOString() ?? null, limit],
    );
    return rows.map(({ user_id }) => user_id);
  }

  /**
   * Records a reauthentication and returns the session. Adds its `amr` values to those of the login. Raw SQL to merge
   * JSON in the row and return it with the database's time.
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
   * Records when sessions were last seen. Skips locked rows, so it cannot deadlock whatever the order of rows: a lock
   * means that another statement refreshes, ends or touches the session. Raw SQL for SKIP LOCKED.
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
   * Scans up to `limit` sessions by id, starting at `from`. `holder` is the first live one whose tokens were last
   * issued before `time`. `last` is the last scanned one, or null when no more follow. Raw SQL for one walk along the
   * primary key.
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

  /** Raw SQL for the database's clock. */
  async countActive(): Promise<number> {
    const [row] = await this.transactions.manager.query<[{ active: number }]>(
      'SELECT count(*)::int AS active FROM session WHERE revoked_at IS NULL AND expires_at > now()',
    );
    return row.active;
  }

  /**
   * Checks up to `limit` sessions that are due and returns how many. Deletes those that expired more than a day ago,
   * and postpones those that a refresh has prolonged. Raw SQL for a batch that skips locked rows.
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

  /**
   * Deletes up to `limit` sessions that were revoked more than a day ago and returns how many. Raw SQL for a batch that
   * skips locked rows.
   */
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
