import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { COLUMNS, KEPT_AFTER_END, LIVE, NewSession, SessionWithDbTime } from '../store/session.repository';
import type { ActingUser } from '../../platform/context';

/** The own session of a user who is about to act as another. */
export interface OwnSession {
  readonly remember: boolean;
}

export interface NewActingSession extends Omit<NewSession, 'hasSecondFactor' | 'amr'> {
  readonly actor: ActingUser;
}

/** An acting session that has ended. */
export interface EndedActing {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly actorId: string;
  readonly actorName: string;
}

const ENDED = `session.id, session.user_id AS "userId", user_account.username, session.actor_id AS "actorId",
  session.actor_name AS "actorName"`;

const FROM_OWN = 'session.actor_session_id IS NOT NULL AND session.actor_session_id = ANY($1::uuid[])';

const endWhere = (condition: string): string =>
  `UPDATE session SET revoked_at = now() FROM user_account
   WHERE ${condition} AND user_account.id = session.user_id AND ${LIVE} RETURNING ${ENDED}`;

/**
 * One statement, because every logout runs it. Not prepared: a plan cached while there were few sessions would scan the
 * whole table.
 */
const END_WITH = `
  WITH followers AS (${endWhere(FROM_OWN)})
  SELECT *, true AS follows FROM followers
  UNION ALL
  SELECT ${ENDED}, false FROM session JOIN user_account ON user_account.id = session.user_id
  WHERE session.id = ANY($1::uuid[]) AND session.actor_id IS NOT NULL`;

/**
 * Sessions in which one user acts as another. SQL instead of `Repository<Session>`, as for other sessions: locks, single
 * compare-and-set statements, and the database's clock.
 */
@Injectable()
export class ActingSessionRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Locks the live session in which the user has logged in. Until the transaction ends it cannot end, and no second
   * acting session begins from it. Undefined if it has ended, and for a session that is an acting one itself.
   */
  async lockOwn(id: string, userId: string): Promise<OwnSession | undefined> {
    // The foreign key would lock the user after the session, and others lock them the other way round.
    await this.transactions.rows('SELECT 1 FROM user_account WHERE id = $1 FOR KEY SHARE', [userId]);
    const [own] = await this.transactions.rows<OwnSession>(
      `SELECT remember FROM session
       WHERE id = $1 AND user_id = $2 AND actor_id IS NULL AND ${LIVE} FOR NO KEY UPDATE`,
      [id, userId],
    );
    return own;
  }

  /**
   * Inserts the session, which ends with the actor's own at the latest. No session of the user ends for it, and the last
   * login of the user stays. The user has proved nothing: the session has no authentication methods, and never counts as a
   * recent login.
   */
  async open(session: NewActingSession, lifetimes: { idle: number; absolute: number }): Promise<SessionWithDbTime> {
    const [row] = await this.transactions.rows<SessionWithDbTime>(
      `WITH opened AS (
         INSERT INTO session (id, user_id, login_method, remember, ip, user_agent, device, expires_at, purge_at,
           absolute_expires_at, amr, authenticated_at, actor_id, actor_name, actor_session_id)
         SELECT $1::uuid, $2::uuid, $3::varchar, $4::boolean, $5::varchar, $6::varchar, $7::jsonb, least(ends, now() + make_interval(secs => $8::int)),
           least(ends, now() + make_interval(secs => $8::int)) + ${KEPT_AFTER_END}, ends, '[]', to_timestamp(0), $10::uuid, $11::varchar,
           own.id
         FROM session AS own, LATERAL (
           SELECT least(own.expires_at, now() + make_interval(secs => $9::int)) AS ends) AS limits
         WHERE own.id = $12::uuid
         RETURNING *)
       SELECT ${COLUMNS} FROM opened AS session`,
      [
        session.id,
        session.userId,
        session.loginMethod,
        session.remember,
        session.ip,
        session.userAgent,
        JSON.stringify(session.device),
        lifetimes.idle,
        lifetimes.absolute,
        session.actor.userId,
        session.actor.username,
        session.actor.sessionId,
      ],
    );
    if (!row) throw new Error(`Session ${session.id} was not inserted`);
    return row;
  }

  /** Ends one live acting session. Of parallel calls only one returns it. */
  async end(id: string): Promise<EndedActing | undefined> {
    return (await this.endWhere('session.id = $1 AND session.actor_id IS NOT NULL', id))[0];
  }

  /** Ends the live sessions in which a user acts from one of these own sessions. */
  endFrom(ownIds: readonly string[]): Promise<EndedActing[]> {
    return this.endWhere(FROM_OWN, ownIds);
  }

  /**
   * Of sessions that have ended: those in which one user acted as another, and, ended here, those that began from one of
   * them.
   */
  async endWith(
    ids: readonly string[],
  ): Promise<{ readonly acting: EndedActing[]; readonly followers: EndedActing[] }> {
    const rows = await this.transactions.rows<EndedActing & { readonly follows: boolean }>(END_WITH, [ids]);
    const of = (which: boolean): EndedActing[] => rows.filter(({ follows }) => follows === which);
    return { acting: of(false), followers: of(true) };
  }

  private endWhere(condition: string, parameter: unknown): Promise<EndedActing[]> {
    return this.transactions.rows<EndedActing>(endWhere(condition), [parameter]);
  }
}
