import { Injectable } from '@nestjs/common';
import { SharedState, SharedStates } from '../platform/cache';
import { DatabaseClock } from '../platform/database';
import { SessionNow, SessionRepository } from './session.repository';

/** What a request must know of its session. */
export interface KnownSession {
  readonly id: string;
  readonly userId: string;
  readonly counter: number;
  readonly revoked: boolean;
  /** Milliseconds since the epoch, by the database's clock, as are the next two. */
  readonly expiresAt: number;
  readonly authenticatedAt: number;
  readonly rotatedAt: number;
  /** Likewise; null: no second factor was proved in it. */
  readonly secondFactorAt: number | null;
  /** Authentication Method References (RFC 8176). */
  readonly amr: readonly string[];
}

export function knownSession(session: SessionNow): KnownSession {
  return {
    id: session.id,
    userId: session.userId,
    counter: session.counter,
    revoked: session.revokedAt !== null,
    expiresAt: session.expiresAt.getTime(),
    authenticatedAt: session.authenticatedAt.getTime(),
    rotatedAt: session.rotatedAt.getTime(),
    secondFactorAt: session.secondFactorAt?.getTime() ?? null,
    amr: session.amr,
  };
}

/** Sessions as every request needs them, read through the memory of a second. */
@Injectable()
export class SessionState {
  private readonly state: SharedState<KnownSession>;

  constructor(
    states: SharedStates,
    private readonly sessions: SessionRepository,
    private readonly clock: DatabaseClock,
  ) {
    this.state = states.create<KnownSession>('session');
  }

  /** The session, where that needs no wait. */
  peek(id: string): KnownSession | undefined {
    return this.state.peek(id);
  }

  find(id: string): Promise<KnownSession | undefined> {
    return this.state.read(id, () => this.load(id));
  }

  /** The session as it is now, when what is remembered of it cannot be. */
  findAnew(id: string): Promise<KnownSession | undefined> {
    this.state.distrust(id);
    return this.find(id);
  }

  /** The session's counter has moved on. Other instances need not be told: they see it by the next token they meet. */
  rotated(id: string): void {
    this.state.distrust(id);
  }

  /** To be called in the transaction that changes the sessions. */
  changed(ids: string | readonly string[]): Promise<void> {
    return this.state.forget(ids);
  }

  private async load(id: string): Promise<KnownSession | undefined> {
    const session = await this.sessions.find(id);
    if (!session) return undefined;
    this.clock.observe(session.now);
    return knownSession(session);
  }
}
