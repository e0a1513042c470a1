import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'plain';

/** A short word about the state of a thing; the word says it, the colour only repeats it. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return <span className={`mark mark-${tone}`}>{children}</span>;
}
