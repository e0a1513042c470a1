import { Button, getDefaultZIndex, Group, Modal, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../api/problem';
import { useInfo } from './info-context';
import { useIsLeaving } from './leave';
import { hasUnsaved } from './unsaved';

/** How long what was typed waits for its owner, in a window that anybody may come to. */
const KEPT_MINUTES = 15;
const MINUTE_MS = 60_000;

/** The window to log in with again, while what was typed waits in another. */
export const LOGIN_WINDOW = 'castellan-login';

/**
 * The login, which leads back to this very page.
 *
 * @param code what the service said of the login before, if it said anything.
 */
export function loginAddress(code?: string): string {
  const query = new URLSearchParams({ redirect: location.pathname + location.search });
  // Who has no session at all knows that; who had one is told that it ended.
  if (code !== undefined && code !== 'unauthenticated') query.set('ended', '');
  return `/login?${query.toString()}`;
}

/** Closes the window that was opened for a login, once somebody is logged in. */
export function useLoginWindow(isLoggedIn: boolean): void {
  useEffect(() => {
    if (!isLoggedIn || window.name !== LOGIN_WINDOW) return;
    // A browser that does not let it close keeps it as any other.
    window.name = '';
    window.close();
  }, [isLoggedIn]);
}

interface SignedOutProps {
  /** What the service says of it; undefined while somebody is logged in. */
  readonly code: string | undefined;
}

/** What the service says of a login that has ended, until somebody is known to be logged in: no other failure says that. */
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

/** Nothing of the page is seen, found, copied, printed, read out or within reach; what was typed stays where it is. */
export function Cover(): ReactNode {
  const { name } = useInfo();
  useEffect(() => {
    // A tab tells in its title whose account it shows; pages go on naming themselves, by what they learn or by a step back.
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

/** Leaves for the login where nothing is lost by it, or its owner stays away; until then covers the page and what was typed. */
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
