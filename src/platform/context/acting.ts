import { AsyncLocalStorage } from 'node:async_hooks';

export interface ActingActor {
  readonly userId: string;
  readonly username: string;
}

/** The system actor whose work runs (`system-actor.ts`). */
export const acting = new AsyncLocalStorage<ActingActor>();

/** Runs work that is not the system actor's, even if a system actor caused it. */
export const leaveActing = <T>(work: () => T): T => (acting.getStore() === undefined ? work() : acting.exit(work));
