import { useEffect, useRef, type RefObject } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** Location key of the first page load. The browser manages focus and scrolling there. */
const FIRST = 'default';

/** Moves scroll and focus to the heading of a new page. On Back, the browser restores the scroll position. */
export function useNavigationFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  useEffect(() => {
    if (key === FIRST) return;
    if (!isBack) scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
    // Filters change the query, not the path.
  }, [pathname]);
  return heading;
}
