import { Injectable } from '@nestjs/common';
import { LATEST_START_MS, prepared, Transactions } from '../platform/database';
import { Session } from './session.entity';
import { SessionWithDbTime } from './session.repository';

/** A session to rotate, the counter it must have, and what is noted of the refresh. */
export interface Rotation {
  readonly id: string;
  readonly counter: number;
  readonly idleSeconds: number;
  readonly ip: string;
  readonly userAgent: string;
  readonly device: Session['device'];
  /** The database's clock when it was asked for, in milliseconds. */
  readonly askedAt: number;
}

/** What a rotation cannot know of itself. */
export type Rotated = Pick<
  SessionWithDbTime,
  | 'id'
  | 'userId'
  | 'loginMethod'
  | 'remember'
  | 'createdAt'
  | 'authenticatedAt'
  | 'secondFactorAt'
  | 'amr'
  | 'rotatedAt'
  | 'expiresAt'
>;

const ASKED = `json_to_recordset($1::json)
  AS asked (id uuid, counter int, idle int, ip text, agent text, device jsonb, until timestamptz)`;

/*
 * The most frequent statement: it answers no column that its caller has sent, nor twice the time of the rotation. The ids are named
 * apart, since PostgreSQL takes any recordset for a hundred rows and would rather read all sessions than look up so many.
 */
const ROTATED = `UPDATE session SET counter = session.counter + 1, rotated_at = now(), last_seen_at = now(),
    expires_at = least(now() + make_interval(secs => asked.idle), session.absolute_expires_at),
    ip = asked.ip, user_agent = asked.agent, device = asked.device
  FROM ${ASKED}
  WHERE session.id = ANY($2::uuid[]) AND session.id = asked.id AND session.counter = asked.counter
    AND session.revoked_at IS NULL AND session.expires_at > now() AND clock_timestamp() < asked.until
    AND (SELECT status FROM user_account WHERE id = session.user_id) = 'active'`;

const ANSWER = `RETURNING session.id, session.user_id AS "userId", session.login_method AS "loginMethod", session.remember,
  session.created_at AS "createdAt", session.authenticated_at AS "authenticatedAt",
  session.second_factor_at AS "secondFactorAt", session.amr, session.rotated_at AS "rotatedAt", session.expires_at AS "expiresAt"`;

/** One session; both statements are prepared, for every refresh asks one of them. */
const ROTATE = prepared(`${ROTATED} ${ANSWER}`);

/*
 * Waits for nobody, so it is in no deadlock, and a row that somebody holds keeps no other waiting. Row by row, since its plan
 * is kept and outlives the few rows it was made for.
 */
const ROTATE_FREE = prepared(
  `WITH free AS MATERIALIZED (
     SELECT found.id FROM unnest($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT id FROM session WHERE id = wanted.id FOR NO KEY UPDATE SKIP LOCKED) AS found)
   ${ROTATED} AND session.id IN (SELECT id FROM free) ${ANSWER}`,
);

function record({ id, counter, idleSeconds, ip, userAgent, device, askedAt }: Rotation): object {
  const until = new Date(askedAt + LATEST_START_MS);
  return { id, counter, idle: idleSeconds, ip, agent: userAgent, device, until };
}

/**
 * A rotation is one compare-and-set: of parallel calls with one counter, one rotates; none of what has ended. What reaches
 * the database after its caller has given up waiting rotates nothing, so the old token stays good.
 */
@Injectable()
export class RotationRepository {
  constructor(private readonly transactions: Transactions) {}

  /** undefined: it did not rotate. */
  async rotate(rotation: Rotation): Promise<Rotated | undefined> {
    const [rotated] = await this.ask(ROTATE, [rotation]);
    return rotated;
  }

  /** What could be rotated without a wait, in no order. @param rotations of different sessions. */
  rotateFree(rotations: readonly Rotation[]): Promise<Rotated[]> {
    return this.ask(ROTATE_FREE, rotations);
  }

  private ask(sql: string, rotations: readonly Rotation[]): Promise<Rotated[]> {
    const parameters = [JSON.stringify(rotations.map(record)), rotations.map(({ id }) => id)];
    return this.transactions.runLimited(() => this.transactions.rows<Rotated>(sql, parameters));
  }
}
