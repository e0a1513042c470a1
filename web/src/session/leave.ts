import { useSyncExternalStore } from 'react';
import { dropUnsaved } from './unsaved';

let leaving = false;
const watchers = new Set<() => void>();

function setLeaving(is: boolean): void {
  leaving = is;
  for (const notify of watchers) notify();
}

function watch(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}

/** Whether the user is logging out of this page. The page then does not report the ended session. */
export const useIsLeaving = (): boolean => useSyncExternalStore(watch, () => leaving);

/**
 * Ends the session, then navigates to the address. The page stays if the session does not end.
 *
 * @param end resolves to whether the session has ended.
 * @param address may depend on how it ended.
 */
export async function leaveBy(end: () => Promise<boolean>, address: string | (() => string)): Promise<void> {
  let hasEnded = false;
  setLeaving(true);
  try {
    hasEnded = await end();
  } finally {
    setLeaving(hasEnded);
  }
  if (!hasEnded) return;
  dropUnsaved();
  location.assign(typeof address === 'string' ? address : address());
}

// The browser restored the page from its back/forward cache.
addEventListener('pageshow', () => {
  setLeaving(false);
});
