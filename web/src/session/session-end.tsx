import { useEffect, useState, type ReactNode } from 'react';
import { isProblem } from '../api/problem';
import { useIsLeaving } from './leave';
import { dropUnsaved, hasUnsaved } from './unsaved';

/** Unsaved input waits this long for its owner. Other people may use the window. */
export const KEPT_MINUTES = 15;
const MINUTE_MS = 60_000;

/** Name of the window for the new login, while this window keeps the unsaved input. */
export const LOGIN_WINDOW = 'castellan-login';

/**
 * Returns the address of the login, which leads back to this page.
 *
 * @param code of the error about the previous session, if any.
 */
export function loginAddress(code?: string): string {
  const query = new URLSearchParams({ redirect: location.pathname + location.search });
  // Only users who had a session see that it has ended.
  if (code !== undefined && code !== 'unauthenticated') query.set('ended', '');
  return `/login?${query.toString()}`;
}

/** Closes the window that was opened for a login after the login succeeds. */
export function useLoginWindow(isLoggedIn: boolean): void {
  useEffect(() => {
    if (!isLoggedIn || window.name !== LOGIN_WINDOW) return;
    // The window keeps no special name if the browser does not close it.
    window.name = '';
    window.close();
  }, [isLoggedIn]);
}

interface MeQuery {
  readonly error: unknown;
  readonly isSuccess: boolean;
}

/** Returns the error code of an ended session until a request confirms a login. Other errors do not clear the code. */
export function useEnded({ error, isSuccess }: MeQuery): string | undefined {
  const [before, setBefore] = useState<string>();
  const waiting = isSuccess ? undefined : before;
  const ended = isProblem(error) && error.status === 401 ? error.code : waiting;
  if (ended !== before) setBefore(ended);
  return ended;
}

/**
 * Returns whether another user has logged in in another tab. The page then renders nothing and reloads, so that no data
 * of the previous user remains.
 */
export function useAnotherPerson(id: string | undefined): boolean {
  const [first, setFirst] = useState(id);
  if (first === undefined && id !== undefined) setFirst(id);
  const isAnother = first !== undefined && id !== undefined && first !== id;
  useEffect(() => {
    if (isAnother) location.reload();
  }, [isAnother]);
  return isAnother;
}

/**
 * Hides the page, so that it cannot be seen, searched, copied, printed, read aloud or used. Unsaved input stays in
 * place.
 *
 * @param props.name of the service.
 */
export function Cover({ name }: { readonly name: string }): ReactNode {
  useEffect(() => {
    // The tab title may show account data. The page may still change its title, after a response or on Back.
    let own = document.title;
    const hide = (): void => {
      if (document.title === name) return;
      own = document.title;
      document.title = name;
    };
    hide();
    const naming = new MutationObserver(hide);
    naming.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      naming.disconnect();
      document.title = own;
    };
  }, [name]);
  return <div className="cover" hidden />;
}

/**
 * Redirects to the login if nothing is unsaved, or after a wait.
 *
 * @param code of the error of the ended session. Undefined while a user is logged in.
 * @returns the address of the login while the page waits with its input.
 */
export function useSignedOut(code: string | undefined): string | undefined {
  const [waits, setWaits] = useState(false);
  const leaving = useIsLeaving();
  useEffect(() => {
    if (leaving) return;
    const isKept = code !== undefined && hasUnsaved();
    setWaits(isKept);
    if (code !== undefined && !isKept) location.assign(loginAddress(code));
  }, [code, leaving]);
  const address = loginAddress(code);
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => {
      dropUnsaved();
      location.assign(address);
    }, KEPT_MINUTES * MINUTE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [waits, address]);
  return waits ? address : undefined;
}
