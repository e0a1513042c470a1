import type { Refusal } from './renewal';

/**
 * Lets one refresh happen at a time among all who share the cookies. Whoever only waited for another's, or finds that one
 * came after the moment `begun` (milliseconds), refreshes nothing and tries its call again.
 */
export type Turn = (begun: number, refresh: () => Promise<Refusal>) => Promise<Refusal>;

/** Nobody else shares the cookies. */
export const ownTurn: Turn = (_begun, refresh) => refresh();

type Locks = Pick<LockManager, 'request'>;
type Stamps = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * One turn at a time in all tabs of an origin. What another tab stored may reach this one only after its lock has, so that
 * having waited counts by itself. Workers have locks but no storage: now and then they refresh once too often, which does
 * no harm.
 */
export function tabTurn(name: string, locks: Locks, stamps?: Stamps): Turn {
  return async (begun, refresh) => {
    const own = await locks.request(name, { ifAvailable: true }, async (lock) => {
      if (!lock) return null;
      const last = Number(stamps?.getItem(name));
      // A stamp from the future was left before the clock was set back.
      if (last > begun && last <= Date.now()) return undefined;
      const refusal = await refresh();
      if (!refusal) leave(name, stamps);
      return refusal;
    });
    return own === null ? locks.request(name, () => undefined) : own;
  };
}

function leave(name: string, stamps?: Stamps): void {
  try {
    stamps?.setItem(name, String(Date.now()));
  } catch {
    // A full storage: the others refresh once more, which does no harm.
  }
}

/** Browsers may forbid a page to look at it at all. */
function ownStorage(): Stamps | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** Node.js has locks, too, but who shares its process need not share its cookies. */
const isBrowser = (): boolean => 'document' in globalThis || 'WorkerGlobalScope' in globalThis;

/** Pages of an origin share its cookies: they take turns wherever the browser lets them (https, or this very machine). */
export function turnFor(baseUrl: string): Turn {
  if (!isBrowser()) return ownTurn;
  const { locks } = navigator as { locks?: LockManager };
  return locks ? tabTurn(`castellan.refresh ${baseUrl}`, locks, ownStorage()) : ownTurn;
}
