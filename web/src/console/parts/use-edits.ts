import { useState } from 'react';

export interface Edits<T> {
  /** What is stored, with what was typed over it. */
  readonly values: T;
  readonly change: (some: Partial<T>) => void;
  /** Forgets what was saved; what was typed meanwhile stays. */
  readonly saved: (values: T) => void;
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each member of what has members is an edit of its own. */
function laidOver(under: Members, over: Members): Members {
  const laid = Object.entries(over).map(([name, value]) => {
    const below = under[name];
    return [name, isMembers(value) && isMembers(below) ? laidOver(below, value) : value] as const;
  });
  return { ...under, ...Object.fromEntries(laid) };
}

/** What of the edits is another than what is stored: typed back is not typed over. */
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

/** Only what was typed over is kept here: all else follows the service, and nobody's input is lost when that changes. */
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
