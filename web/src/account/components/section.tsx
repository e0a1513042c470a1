import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly lead?: string;
  readonly children: ReactNode;
}

/** Part of a page with a heading. */
export function Section({ title, lead, children }: SectionProps): ReactNode {
  return (
    <section className="card">
      <h2>{title}</h2>
      {lead && <p className="lead">{lead}</p>}
      {children}
    </section>
  );
}
