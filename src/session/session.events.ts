import { defineEvent } from '../platform/events';

/** Sessions that ended by a logout, a revocation or a limit, not by their time. */
export interface EndedSessions {
  readonly userId: string;
  readonly ids: readonly string[];
  /** There where all of the user's sessions were ended, those of the past too, but this one; null: every one. */
  readonly keep?: string | null;
}

export const sessionsEnded = defineEvent<EndedSessions>('session.ended', 'in_transaction');
