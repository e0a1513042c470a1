import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { ActingEnded } from '../session/acting';
import type { Me } from '../session/me';
import { Cover, useAnotherPerson, useEnded, useLoginWindow } from '../session/session-end';
import { useKeptFocus } from '../session/use-kept-focus';
import { AccountMenu } from './account-menu';
import { Demands } from './demands';
import { Dialogs } from './dialogs';
import { ErrorBoundary } from './error-boundary';
import { info } from './info';
import { KeepAccount } from './keep-account';
import { ActingBanner } from './acting-banner';
import { MeContext, reloadMe, useMeState } from './me';
import { Menu } from './menu';
import { Loaded, Waiting } from './components/loaded';
import { Logo } from './components/logo';
import { isLoading, shown } from './shown';
import { SignedOut } from './signed-out';
import { useStore } from './store';
import { Toasts } from './toasts';

/** Looks at the session again when the user comes back. Two windows side by side stay visible, but one has the focus. */
function useReloadedMe(): void {
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') void reloadMe();
    };
    addEventListener('focus', look);
    addEventListener('online', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('focus', look);
      removeEventListener('online', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
}

/** Shows that a page is loading. */
function OnItsWay(): ReactNode {
  const { t } = useTranslation();
  return useStore(isLoading) && <div className="on-its-way" role="progressbar" aria-label={t('page.loading')} />;
}

/** What the user must know on every page. */
function Notices({ me }: { readonly me: Me }): ReactNode {
  return (
    <>
      {me.actor && <ActingBanner me={me} actor={me.actor} />}
      {me.deletion_due_at !== null && !me.actor && <KeepAccount dueAt={me.deletion_due_at} />}
      <Demands />
    </>
  );
}

function Content({ me }: { readonly me: Me }): ReactNode {
  const page = useStore(shown);
  return (
    <MeContext key={me.id} value={me}>
      <Notices me={me} />
      {page ? (
        <ErrorBoundary key={page.path}>
          <page.Page />
        </ErrorBoundary>
      ) : (
        <Waiting />
      )}
    </MeContext>
  );
}

interface OpenMenu {
  readonly opened: boolean;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly toggle: () => void;
  readonly close: () => void;
}

/** State of the menu on a phone. Escape closes it. */
function useMenu(): OpenMenu {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!opened) return;
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return;
      setOpened(false);
      button.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('keydown', onKey);
    };
  }, [opened]);
  return {
    opened,
    button,
    toggle: () => {
      setOpened(!opened);
    },
    close: () => {
      setOpened(false);
    },
  };
}

function Header({ me, menu }: { readonly me: Me | undefined; readonly menu: OpenMenu }): ReactNode {
  const { t } = useTranslation();
  return (
    <header>
      <button
        ref={menu.button}
        type="button"
        className="burger"
        aria-label={t('nav.menu')}
        aria-expanded={menu.opened}
        onClick={menu.toggle}
      >
        <span />
      </button>
      <span className="brand">
        <Logo />
        <span>{info.name}</span>
      </span>
      <AccountMenu me={me} />
      <OnItsWay />
    </header>
  );
}

/** Frame of all account pages. */
export function Frame(): ReactNode {
  const { t } = useTranslation();
  const { data: me, error } = useMeState();
  const isSuccess = me !== undefined && error === undefined;
  const ended = useEnded({ error, isSuccess });
  const main = useRef<HTMLElement>(null);
  const menu = useMenu();
  useReloadedMe();
  useLoginWindow(isSuccess);
  useKeptFocus();
  if (useAnotherPerson(me?.id)) return <Cover name={info.name} />;
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {t('nav.skip')}
      </button>
      <Header me={me} menu={menu} />
      <Menu me={me} opened={menu.opened} onGo={menu.close} />
      <main ref={main} tabIndex={-1}>
        {/* The login page shows the reason for an ended session. */}
        <Loaded query={{ data: me, error: ended === undefined ? error : undefined, reload: reloadMe }}>
          {(known) => <Content me={known} />}
        </Loaded>
      </main>
      {me?.actor ? <ActingEnded me={me} code={ended} /> : <SignedOut code={ended} />}
      <Toasts />
      <Dialogs />
    </>
  );
}
