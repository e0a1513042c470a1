import type { ReactNode } from 'react';
import { Mark, type Tone } from '../../session/mark';

interface CardProps {
  readonly title: string;
  readonly mark?: { readonly tone: Tone; readonly text: string } | undefined;
  /** Lines below the title. */
  readonly lines: readonly string[];
  /** Buttons beside the text. */
  readonly children?: ReactNode;
}

/** An entry of a list: what it is, and what the user can do with it. */
export function Card({ title, mark, lines, children }: CardProps): ReactNode {
  return (
    <li className="card row">
      <div className="wrap">
        <strong>{title}</strong> {mark && <Mark tone={mark.tone}>{mark.text}</Mark>}
        {lines.map((line) => (
          <p key={line} className="hint">
            {line}
          </p>
        ))}
      </div>
      {children}
    </li>
  );
}

/** The list around cards. */
export function Cards({ children }: { readonly children: ReactNode }): ReactNode {
  return <ul className="cards">{children}</ul>;
}
