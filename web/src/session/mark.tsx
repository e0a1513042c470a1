import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'plain';

/** Short label for a state. The text carries the meaning, so colour is not needed to read it. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return <span className={`mark mark-${tone}`}>{children}</span>;
}
