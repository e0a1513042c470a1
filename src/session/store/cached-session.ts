import type { ActingUser } from '../../platform/context';
import type { Session } from './session.entity';
import type { SessionWithDbTime } from './session.repository';

/** The session data that every request needs. */
export interface CachedSession {
  readonly id: string;
  readonly userId: string;
  readonly counter: number;
  readonly revoked: boolean;
  /** Milliseconds since the epoch by the database's clock, like all times below. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly authenticatedAt: number;
  readonly rotatedAt: number;
  /** When the row was read. */
  readonly readAt: number;
  /** null means that the session has no verified second factor. */
  readonly secondFactorAt: number | null;
  /** Authentication Method References (RFC 8176). */
  readonly amr: readonly string[];
  /** Type of the login method, or `oauth:<provider>`. */
  readonly loginMethod: string;
  /** Who acts as the user; null in a session that the user has opened. */
  readonly actor: ActingUser | null;
}

/** The columns of a session, and the read time, that caches keep. */
export type SessionToCache = Pick<
  SessionWithDbTime,
  | 'id'
  | 'userId'
  | 'counter'
  | 'revokedAt'
  | 'createdAt'
  | 'expiresAt'
  | 'authenticatedAt'
  | 'rotatedAt'
  | 'secondFactorAt'
  | 'amr'
  | 'loginMethod'
  | 'actorId'
  | 'actorName'
  | 'actorSessionId'
  | 'now'
>;

type ActorColumns = Pick<Session, 'actorId' | 'actorName' | 'actorSessionId'>;

/** A constraint of the table makes the three columns null together. */
export const actorOf = ({ actorId, actorName, actorSessionId }: ActorColumns): ActingUser | null =>
  actorId && actorName && actorSessionId ? { userId: actorId, username: actorName, sessionId: actorSessionId } : null;

export function cachedSession(session: SessionToCache): CachedSession {
  return {
    id: session.id,
    userId: session.userId,
    counter: session.counter,
    revoked: session.revokedAt !== null,
    createdAt: session.createdAt.getTime(),
    expiresAt: session.expiresAt.getTime(),
    authenticatedAt: session.authenticatedAt.getTime(),
    rotatedAt: session.rotatedAt.getTime(),
    readAt: session.now.getTime(),
    secondFactorAt: session.secondFactorAt?.getTime() ?? null,
    amr: session.amr,
    loginMethod: session.loginMethod,
    actor: actorOf(session),
  };
}
