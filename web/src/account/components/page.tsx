import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { info } from '../info';
import { shown } from '../shown';

interface PageProps {
  readonly title: string;
  readonly lead?: string;
  readonly actions?: ReactNode;
  /** For content in columns. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** Moves scroll and focus to the heading of a new page. On Back, the browser restores the scroll position. */
function useNavigationFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const by = shown.value?.by;
    if (by === 'load') return;
    if (by === 'link') scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}

export function Page({ title, lead, actions, wide = false, children }: PageProps): ReactNode {
  const heading = useNavigationFocus();
  useEffect(() => {
    document.title = `${title} · ${info.name}`;
  }, [title]);
  return (
    <div className={`page ${wide ? 'wide' : ''}`}>
      <div className="row">
        <div className="wrap">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </div>
  );
}
