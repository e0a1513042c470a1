import { useState } from 'react';

export interface Edits<T> {
  /** Stored values with the user's edits applied. */
  readonly values: T;
  readonly change: (some: Partial<T>) => void;
  /** Drops saved edits, and keeps those made during the request. */
  readonly saved: (values: T) => void;
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges nested objects member by member. */
function laidOver(under: Members, over: Members): Members {
  const laid = Object.entries(over).map(([name, value]) => {
    const below = under[name];
    return [name, isMembers(value) && isMembers(below) ? laidOver(below, value) : value] as const;
  });
  return { ...under, ...Object.fromEntries(laid) };
}

/** Returns the edits that differ from the stored values. */
function typedOver(stored: Members, edits: Members): Members {
  const left: [string, unknown][] = [];
  for (const [name, value] of Object.entries(edits)) {
    const below = stored[name];
    if (isMembers(value) && isMembers(below)) {
      const members = typedOver(below, value);
      if (Object.keys(members).length > 0) left.push([name, members]);
    } else if (JSON.stringify(value) !== JSON.stringify(below)) left.push([name, value]);
  }
  return Object.fromEntries(left);
}

/** Keeps only the user's edits. All other values follow the stored ones, so a change by another user loses no input. */
export function useEdits<T extends object>(stored: T): Edits<T> {
  const [edits, setEdits] = useState<Members>({});
  return {
    values: laidOver(stored as Members, edits) as T,
    change: (some) => {
      setEdits((before) => typedOver(stored as Members, laidOver(before, some)));
    },
    saved: (values) => {
      setEdits((now) => typedOver(values as Members, now));
    },
  };
}
