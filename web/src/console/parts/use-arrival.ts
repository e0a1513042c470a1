import { useEffect, useRef, type RefObject } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** Of the address that the browser itself has opened: what has the focus there is the browser's business. */
const FIRST = 'default';

/** Begins a page at its top and its heading, as a browser would; going back, it finds the place again by itself. */
export function useArrival(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  useEffect(() => {
    if (key === FIRST) return;
    if (!isBack) scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
    // Filters change the address, too, but not the page.
  }, [pathname]);
  return heading;
}
