import { Button, getDefaultZIndex, Group, Modal, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../api/problem';
import { useInfo } from './info-context';
import { useIsLeaving } from './leave';
import { hasUnsaved } from './unsaved';

/** Unsaved input waits this long for its owner. Other people may use the window. */
const KEPT_MINUTES = 15;
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

interface SignedOutProps {
  /** Error code of the ended session. Undefined while a user is logged in. */
  readonly code: string | undefined;
}

/** Returns the error code of an ended session until a request confirms a login. Other errors do not clear the code. */
export function useEnded({
  error,
  isSuccess,
}: Pick<UseQueryResult<unknown, unknown>, 'error' | 'isSuccess'>): string | undefined {
  const [before, setBefore] = useState<string>();
  const waiting = isSuccess ? undefined : before;
  const ended = isProblem(error) && error.status === 401 ? error.code : waiting;
  if (ended !== before) setBefore(ended);
  return ended;
}

/**
 * Hides the page, so that it cannot be seen, searched, copied, printed, read aloud or used. Unsaved input stays in
 * place.
 */
export function Cover(): ReactNode {
  const { name } = useInfo();
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

/** Redirects to the login if nothing is unsaved, or after a wait. Until then it covers the page and keeps the input. */
export function SignedOut({ code }: SignedOutProps): ReactNode {
  const { t } = useTranslation();
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
      location.assign(address);
    }, KEPT_MINUTES * MINUTE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [waits, address]);
  return (
    <>
      {waits && <Cover />}
      <Modal
        className="above-cover"
        zIndex={getDefaultZIndex('max')}
        opened={waits}
        onClose={() => undefined}
        title={t('ended.title')}
        centered
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
      >
        <Stack>
          <Text>{t('ended.kept', { minutes: KEPT_MINUTES })}</Text>
          <Group justify="flex-end">
            <Button component="a" href={address} variant="default">
              {t('ended.leave')}
            </Button>
            <Button component="a" href={address} target={LOGIN_WINDOW} data-autofocus>
              {t('reauthenticate.log_in_again')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
