import { useSyncExternalStore } from 'react';

let leaving = false;
const watchers = new Set<() => void>();

function setLeaving(is: boolean): void {
  leaving = is;
  for (const tell of watchers) tell();
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}

/** Whether somebody ends the login of this page: that it has ended is no news then. */
export const useIsLeaving = (): boolean => useSyncExternalStore(watch, () => leaving);

/**
 * Leaves for an address by ending the login; the page stays where that does not come about.
 *
 * @param end whether the login has ended.
 */
export async function leaveBy(end: () => Promise<boolean>, address: string): Promise<void> {
  let hasEnded = false;
  setLeaving(true);
  try {
    hasEnded = await end();
  } finally {
    setLeaving(hasEnded);
  }
  if (hasEnded) location.assign(address);
}

// Back to a page that the browser kept as it was left.
addEventListener('pageshow', () => {
  setLeaving(false);
});
