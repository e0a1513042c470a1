import { useEffect } from 'react';

/** One entry per part of the page with unsaved input. */
const unsaved = new Set<symbol>();

export const hasUnsaved = (): boolean => unsaved.size > 0;

/** Keeps the page open after its session has ended while it has unsaved input. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const part = Symbol();
    unsaved.add(part);
    return () => {
      unsaved.delete(part);
    };
  }, [isUnsaved]);
}
