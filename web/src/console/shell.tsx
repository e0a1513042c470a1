import { AppShell, Box, Burger, Group, NavLink, Stack, Text } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { can } from 'castellan-client';
import { lazy, Suspense, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useLocation, useNavigation } from 'react-router';
import type { Info } from '../shared/info';
import { ActingEnded } from '../session/acting';
import { accountPages, adminPages, isOn, menuGroups, opens, type ConsolePage } from '../session/pages';
import { Cover, useAnotherPerson, useEnded, useLoginWindow } from '../session/session-end';
import { useKeptFocus } from '../session/use-kept-focus';
import { AccountMenu } from './account-menu';
import { useInfo } from './info-context';
import { Demands } from './components/demands';
import { Loaded } from './components/loaded';
import { useLeaveQuestion } from './hooks/use-leave-question';
import { MeProvider, meOptions, type Me } from './me';
import { PageIcon } from './page-icon';
import { QuickSearchButton } from './quick-search-button';
import { SignedOut } from './signed-out';

/** Few users act as others or leave. */
const ActingBanner = lazy(async () => ({ default: (await import('./acting-banner')).ActingBanner }));
const KeepAccount = lazy(async () => ({ default: (await import('./keep-account')).KeepAccount }));

function Links({ pages, onGo }: { readonly pages: readonly ConsolePage[]; readonly onGo: () => void }): ReactNode {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return pages.map((page) => {
    const { path, name } = page;
    const active = isOn(page, pathname);
    return (
      <NavLink
        key={path}
        component={Link}
        to={path}
        label={t(`nav.${name}`)}
        leftSection={<PageIcon name={name} />}
        active={active}
        py={2}
        variant="filled"
        aria-current={active ? 'page' : undefined}
        onClick={onGo}
      />
    );
  });
}

function Navigation({ me, onGo }: { readonly me: Me; readonly onGo: () => void }): ReactNode {
  const { t } = useTranslation();
  const open = adminPages.filter((page) => !page.unlisted && opens(page, (code) => can(me, code)));
  const groups = menuGroups.map((group) => ({ group, pages: open.filter((page) => page.group === group) }));
  return (
    <>
      <Links pages={open.filter(({ group }) => group === undefined)} onGo={onGo} />
      {[...groups, { group: 'account', pages: accountPages.filter(({ unlisted = false }) => !unlisted) }]
        .filter(({ pages }) => pages.length > 0)
        .map(({ group, pages }) => (
          <Stack key={group} gap={0} role="group" aria-label={t(`nav.group_${group}`)} className="menu-group">
            <Text size="xs" fw={600} c="dimmed" px="sm" aria-hidden>
              {t(`nav.group_${group}`)}
            </Text>
            <Links pages={pages} onGo={onGo} />
          </Stack>
        ))}
    </>
  );
}

/** Skips the menu. The link is visible while it has keyboard focus. */
function SkipLink({ onSkip }: { readonly onSkip: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <button type="button" className="skip" onClick={onSkip}>
      {t('nav.skip')}
    </button>
  );
}

/** Shows that a page is loading. The previous page stays visible meanwhile. */
function OnItsWay(): ReactNode {
  const { t } = useTranslation();
  const { state } = useNavigation();
  return state === 'loading' && <div className="on-its-way" role="progressbar" aria-label={t('page.loading')} />;
}

/** What the user must know on every page. */
function Notices({ me }: { readonly me: Me }): ReactNode {
  return (
    <>
      <Suspense>
        {me.actor && <ActingBanner me={me} actor={me.actor} />}
        {me.deletion_due_at !== null && !me.actor && <KeepAccount dueAt={me.deletion_due_at} />}
      </Suspense>
      <Demands />
    </>
  );
}

/** The logo of the colour scheme, which a user can choose whatever the device's is. */
function Logo({ branding: { logo, logo_dark: dark } }: Pick<Info, 'branding'>): ReactNode {
  if (logo === '') return null;
  if (dark === '') return <img src={logo} alt="" />;
  return (
    <>
      <Box component="img" src={logo} alt="" darkHidden />
      <Box component="img" src={dark} alt="" lightHidden />
    </>
  );
}

/** Frame of all console pages. */
export function Shell(): ReactNode {
  const { t } = useTranslation();
  const info = useInfo();
  const [opened, { toggle, close }] = useDisclosure();
  const menu = useRef<HTMLButtonElement>(null);
  const main = useRef<HTMLElement>(null);
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !opened) return;
    close();
    menu.current?.focus();
  });
  const me = useQuery({ ...meOptions, refetchOnWindowFocus: 'always' });
  // Two windows side by side both stay visible, so `visibilitychange` does not fire.
  useWindowEvent('focus', () => void me.refetch({ cancelRefetch: false }));
  const signedOut = useEnded(me);
  useLoginWindow(me.isSuccess);
  useKeptFocus();
  useLeaveQuestion();

  if (useAnotherPerson(me.data?.id)) return <Cover name={info.name} />;

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      {me.data?.actor ? <ActingEnded me={me.data} code={signedOut} /> : <SignedOut code={signedOut} />}
      <SkipLink onSkip={() => main.current?.focus()} />
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          {/* Clipped content leaves room for the button's focus ring. */}
          <Group wrap="nowrap" gap="sm" p={4} className="brand">
            <Burger
              ref={menu}
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('nav.menu')}
              aria-expanded={opened}
            />
            <Logo branding={info.branding} />
            <Text fw={600} className="brand">
              {info.name}
            </Text>
          </Group>
          <Group wrap="nowrap" gap="sm" flex="none">
            {me.data && (
              <MeProvider me={me.data}>
                <QuickSearchButton />
              </MeProvider>
            )}
            <AccountMenu me={me.data} />
          </Group>
        </Group>
        <OnItsWay />
      </AppShell.Header>
      <AppShell.Navbar aria-label={t('nav.title')} mod={{ closed: !opened }}>
        <AppShell.Section grow p="sm" className="scrolls">
          <Stack gap={2}>{me.data && <Navigation me={me.data} onGo={close} />}</Stack>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main ref={main} tabIndex={-1}>
        {/* The login page shows the reason for an ended session. */}
        <Loaded query={{ data: me.data, error: signedOut === undefined ? me.error : undefined, refetch: me.refetch }}>
          {(known) => (
            <MeProvider key={known.id} me={known}>
              <Notices me={known} />
              <Outlet />
            </MeProvider>
          )}
        </Loaded>
      </AppShell.Main>
    </AppShell>
  );
}
