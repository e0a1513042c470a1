/** Returns the members that differ from `before`. */
export function changesOf<T extends object>(before: T, after: T): Partial<T> {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(before[name as keyof T]) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed) as Partial<T>;
}

/** Converts a cleared text to null. */
export const orNull = <T extends string>(text: T | ''): T | null => (text === '' ? null : text);
