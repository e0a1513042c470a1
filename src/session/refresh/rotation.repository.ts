import { Injectable } from '@nestjs/common';
import { LATEST_START_MS, preparedStatement, Transactions } from '../../platform/database';
import { Session } from '../store/session.entity';
import { SessionWithDbTime } from '../store/session.repository';

/** A session to rotate, with its expected counter and the client data to store. */
export interface Rotation {
  readonly id: string;
  readonly counter: number;
  readonly idleSeconds: number;
  readonly ip: string;
  readonly userAgent: string;
  readonly device: Session['device'];
  /** The database's clock at the request, in milliseconds. */
  readonly askedAt: number;
}

/** The columns that the caller of a rotation does not know. */
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
  | 'actorId'
  | 'actorName'
  | 'actorSessionId'
  | 'rotatedAt'
  | 'expiresAt'
>;

const ASKED = `json_to_recordset($1::json)
  AS asked (id uuid, counter int, idle int, ip text, agent text, device jsonb, until timestamptz)`;

/*
 * The most frequent statement, so it returns no column that the caller sent and the rotation time only once. The ids
 * are a separate array, because PostgreSQL estimates any recordset at 100 rows and would rather scan all sessions.
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
  session.second_factor_at AS "secondFactorAt", session.amr, session.actor_id AS "actorId", session.actor_name AS "actorName",
  session.actor_session_id AS "actorSessionId", session.rotated_at AS "rotatedAt", session.expires_at AS "expiresAt"`;

/** One session. Both statements are prepared, because every refresh runs one of them. */
const ROTATE = preparedStatement(`${ROTATED} ${ANSWER}`);

/*
 * Skips locked rows, so it cannot deadlock, and a locked row does not delay the others. Looks up row by row, because
 * the cached plan outlives the few rows it was planned for.
 */
const ROTATE_UNLOCKED = preparedStatement(
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
 * A rotation is one compare-and-set: of parallel calls with one counter only one rotates, and ended sessions never
 * rotate. A statement that starts after its caller has given up rotates nothing, so the old token stays valid. SQL
 * instead of `Repository<Session>`, because concurrent rotations share one statement.
 */
@Injectable()
export class RotationRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Returns undefined when the session did not rotate. */
  async rotate(rotation: Rotation): Promise<Rotated | undefined> {
    const [rotated] = await this.ask(ROTATE, [rotation]);
    return rotated;
  }

  /**
   * Rotates the sessions whose rows are not locked. Returns them in any order. @param rotations of different sessions
   */
  rotateUnlocked(rotations: readonly Rotation[]): Promise<Rotated[]> {
    return this.ask(ROTATE_UNLOCKED, rotations);
  }

  private ask(sql: string, rotations: readonly Rotation[]): Promise<Rotated[]> {
    const parameters = [JSON.stringify(rotations.map(record)), rotations.map(({ id }) => id)];
    return this.transactions.runLimited(() => this.transactions.rows<Rotated>(sql, parameters));
  }
}
