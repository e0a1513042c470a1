import { useEffect } from 'react';

/** One for each part of the page in which something was typed that the service has not taken yet. */
const unsaved = new Set<symbol>();

export const hasUnsaved = (): boolean => unsaved.size > 0;

/** Has the page stay where a login that ended would take along what was typed. */
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
