import type { SessionWithDbTime } from './session.repository';

/** What a request must know of its session. */
export interface CachedSession {
  readonly id: string;
  readonly userId: string;
  readonly counter: number;
  readonly revoked: boolean;
  /** Milliseconds since the epoch, by the database's clock, as are the next four. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly authenticatedAt: number;
  readonly rotatedAt: number;
  /** When the database was read. */
  readonly readAt: number;
  /** Likewise; null: no second factor was proved in it. */
  readonly secondFactorAt: number | null;
  /** Authentication Method References (RFC 8176). */
  readonly amr: readonly string[];
}

/** What of a session's row, and the time it was read at, a cache keeps. */
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
  | 'now'
>;

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
  };
}
