/** Error response of a refresh. Undefined means success, so the request can be repeated. */
export type RefreshError = Response | undefined;

/**
 * Serializes refreshes among all clients that share the cookies. A client that only waited for another refresh, or that
 * finds one later than `begun` (milliseconds), skips the refresh and repeats its request.
 */
export type Turn = (begun: number, refresh: () => Promise<RefreshError>) => Promise<RefreshError>;

/** For clients that share their cookies with no other client. */
export const ownTurn: Turn = (_begun, refresh) => refresh();

export type Locks = Pick<LockManager, 'request'>;
type Stamps = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * Serializes refreshes among all tabs of an origin. A tab may see the other tab's timestamp only after its lock, so
 * having waited for the lock already counts as a refresh. Workers have locks but no storage, so they sometimes refresh
 * once too often, which is harmless.
 */
export function tabTurn(name: string, locks: Locks, stamps?: Stamps): Turn {
  return async (begun, refresh) => {
    const own = await locks.request(name, { ifAvailable: true }, async (lock) => {
      if (!lock) return null;
      const last = Number(stamps?.getItem(name));
      // A future timestamp dates from before the clock was set back.
      if (last > begun && last <= Date.now()) return undefined;
      const errorResponse = await refresh();
      if (!errorResponse) storeStamp(name, stamps);
      return errorResponse;
    });
    return own === null ? locks.request(name, () => undefined) : own;
  };
}

function storeStamp(name: string, stamps?: Stamps): void {
  try {
    stamps?.setItem(name, String(Date.now()));
  } catch {
    // Storage is full. Other tabs refresh once more, which is harmless.
  }
}

/** Browsers may deny access to `localStorage`. */
function ownStorage(): Stamps | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** Node.js has locks too, but clients of one process need not share cookies. */
export const isBrowser = (): boolean => 'document' in globalThis || 'WorkerGlobalScope' in globalThis;

/** Web Locks, in browsers on https or loopback. */
export function tabLocks(): Locks | undefined {
  return isBrowser() ? (navigator as { locks?: LockManager }).locks : undefined;
}

/** Tabs of an origin share cookies, so they take turns where the browser has Web Locks. */
export function turnFor(baseUrl: string): Turn {
  const locks = tabLocks();
  return locks ? tabTurn(`castellan.refresh ${baseUrl}`, locks, ownStorage()) : ownTurn;
}
