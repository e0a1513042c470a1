import { useLayoutEffect } from 'react';

/** What leaving the page loses: input, or a secret that is shown only once. */
export type Unsaved = 'input' | 'secret';

/** One entry per part of the page with something to lose. */
const unsaved = new Map<symbol, Unsaved>();
/** Whether the input may be lost with the document. */
let isDropped = false;

export const hasUnsaved = (): boolean => unsaved.size > 0;

/** Whether leaving the page loses a secret. */
export const hasSecret = (): boolean => [...unsaved.values()].includes('secret');

/** Lets the document end without the browser's question, because the user has answered or cannot stay. */
export function dropUnsaved(): void {
  isDropped = true;
}

/** Asks again, after a navigation that kept the document. */
export function keepUnsaved(): void {
  isDropped = false;
}

// Back to another document, reloading and closing the tab.
addEventListener('beforeunload', (event) => {
  if (hasUnsaved() && !isDropped) event.preventDefault();
});
// The browser restored the page from its back/forward cache.
addEventListener('pageshow', keepUnsaved);

/** Keeps the page open after its session has ended while it has unsaved input, and asks before a navigation. */
export function useUnsaved(isUnsaved: boolean, what: Unsaved = 'input'): void {
  // Before the next event: the user may leave at once.
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const part = Symbol();
    unsaved.set(part, what);
    return () => {
      unsaved.delete(part);
    };
  }, [isUnsaved, what]);
}

/** State of a navigation without a question: the page has saved its input, or the user must take another step first. */
export const withoutQuestion = { asksNothing: true } as const;

export const asksNothing = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'asksNothing' in state;
