import { useLayoutEffect } from 'react';

/** One entry per part of the page with unsaved input. */
const unsaved = new Set<symbol>();

export const hasUnsaved = (): boolean => unsaved.size > 0;

/** Keeps the page open after its session has ended while it has unsaved input, and asks before a navigation. */
export function useUnsaved(isUnsaved: boolean): void {
  // Before the next event: the user may leave at once.
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const part = Symbol();
    unsaved.add(part);
    return () => {
      unsaved.delete(part);
    };
  }, [isUnsaved]);
}

/** State of a navigation without a question: the page has saved its input, or the user must take another step first. */
export const withoutQuestion = { asksNothing: true } as const;

export const asksNothing = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'asksNothing' in state;
