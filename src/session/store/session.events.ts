import { defineEvent } from '../../platform/jobs/events';

/** Sessions that ended by logout, revocation or a limit, not by expiry. */
export interface EndedSessions {
  readonly userId: string;
  readonly ids: readonly string[];
  /**
   * Present when all of the user's sessions ended, including past ones, except this session. null means every session.
   */
  readonly keep?: string | null;
  /** Acting sessions whose end is already audited. No other session ends with them. */
  readonly areActing?: true;
}

/** All sessions of many users ended, including past ones. */
export interface EndedUsers {
  readonly userIds: readonly string[];
}

export const allSessionsEnded = defineEvent<EndedUsers>('session.all_ended', 'in_transaction');
export const sessionsEnded = defineEvent<EndedSessions>('session.ended', 'in_transaction');
