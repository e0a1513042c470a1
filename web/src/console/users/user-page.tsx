import { Button, Group, Loader, Stack, Tabs, Text } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { CopyButton } from '../components/copy-button';
import { Loaded } from '../components/loaded';
import { Mark } from '../../session/mark';
import { Page } from '../components/page';
import { timeOf } from '../../shared/time';
import { useSubmit } from '../hooks/use-submit';
import { oneOf, useFilters } from '../hooks/use-filters';
import { useGoOn } from '../hooks/use-go-on';
import { useRemoveOnLeave } from '../hooks/use-remove-on-leave';
import { invalidateLists, queryClient } from '../query-client';
import { usersKey, type AdminUser } from './admin-user';
import { UserDetails } from './user-details';
import { UserRoles } from './user-roles';

const ActAs = lazy(async () => ({ default: (await import('./act-as')).ActAs }));
const EndSessions = lazy(() => import('./end-sessions'));
const UserAttributes = lazy(() => import('./user-attributes'));
const UserGrants = lazy(async () => ({ default: (await import('./user-grants')).UserGrants }));
const UserActivity = lazy(async () => ({ default: (await import('./user-activity')).UserActivity }));
const UserLogins = lazy(() => import('./user-logins'));
const UserSecurity = lazy(async () => ({ default: (await import('./user-security')).UserSecurity }));
const UserSessions = lazy(async () => ({ default: (await import('./user-sessions')).UserSessions }));

const userOf = (id: string) => $api.queryOptions('get', '/api/user/{id}', { params: { path: { id } } });

interface PartProps {
  readonly user: AdminUser;
}

function show(user: AdminUser): void {
  queryClient.setQueryData(userOf(user.id).queryKey, user);
  void queryClient.invalidateQueries({ queryKey: usersKey });
}

function Actions({ user }: PartProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const goOn = useGoOn();
  const removeOnLeave = useRemoveOnLeave(userOf(user.id).queryKey);
  const params = { path: { id: user.id } };
  const isActive = user.status === 'active';
  const setStatus = async (): Promise<void> => {
    const title = t(isActive ? 'users.disable' : 'users.enable');
    const text = t('users.disable_ask', { user: user.username });
    if (isActive && !(await ask({ title, text, confirm: title }))) return;
    const body = { status: isActive ? 'disabled' : 'active' } as const;
    const answer = await act.run(() => api.PATCH('/api/user/{id}', { params, body }), t('act.saved'));
    if (answer?.data) show(answer.data);
  };
  const unlock = async (): Promise<void> => {
    if (await act.run(() => api.DELETE('/api/user/{id}/lock', { params }), t('act.saved'))) {
      show({ ...user, locked_until: null });
    }
  };
  const keep = async (): Promise<void> => {
    const title = t('users.keep');
    if (!(await ask({ title, text: t('users.keep_ask', { user: user.username }), confirm: title }))) return;
    if (await act.run(() => api.POST('/api/user/{id}/deletion/cancel', { params }), t('users.kept'))) {
      show({ ...user, deletion_due_at: null });
    }
  };
  const removeFormerName = async (): Promise<void> => {
    const title = t('users.remove_former_username');
    const text = t('users.remove_former_username_ask', { user: user.username, name: user.former_username ?? '' });
    if (!(await ask({ title, text, confirm: title }))) return;
    const body = { former_username: null };
    const answer = await act.run(() => api.PATCH('/api/user/{id}', { params, body }), t('act.saved'));
    if (answer?.data) show(answer.data);
  };
  const remove = async (): Promise<void> => {
    const text = t('users.delete_ask', { user: user.username });
    const question = { title: t('users.delete'), text, confirm: t('users.delete') };
    if (!(await ask(question))) return;
    if (!(await act.run(() => api.DELETE('/api/user/{id}', { params }), t('users.deleted')))) return;
    await invalidateLists(usersKey);
    removeOnLeave();
    await goOn('/admin/users', { replace: true });
  };
  return (
    <Group>
      <Button variant="default" loading={act.busy} onClick={() => void setStatus()}>
        {t(isActive ? 'users.disable' : 'users.enable')}
      </Button>
      {user.locked_until !== null && (
        <Button variant="default" loading={act.busy} onClick={() => void unlock()}>
          {t('users.unlock')}
        </Button>
      )}
      {user.deletion_due_at !== null && (
        <Button variant="default" loading={act.busy} onClick={() => void keep()}>
          {t('users.keep')}
        </Button>
      )}
      {user.former_username !== null && (
        <Button variant="default" loading={act.busy} onClick={() => void removeFormerName()}>
          {t('users.remove_former_username')}
        </Button>
      )}
      <Suspense>
        <EndSessions userId={user.id} username={user.username} />
        <ActAs user={user} />
      </Suspense>
      <Button
        variant="default"
        className="danger"
        leftSection={<Trash2 />}
        loading={act.busy}
        onClick={() => void remove()}
      >
        {t('users.delete')}
      </Button>
    </Group>
  );
}

function Head({ user }: PartProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Group wrap="nowrap">
      <img src={user.avatar} width={56} height={56} alt="" className="picture" />
      <div className="wrap">
        <Group gap="xs">
          <Mark tone={user.status === 'active' ? 'good' : 'bad'}>{t(`users.status_${user.status}`)}</Mark>
          {user.locked_until !== null && (
            <Mark tone="bad">{t('users.locked_until', { time: timeOf(user.locked_until) })}</Mark>
          )}
          {user.deletion_due_at !== null && (
            <Mark tone="bad">{t('users.deletion_due', { time: timeOf(user.deletion_due_at) })}</Mark>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {t('users.since', { time: timeOf(user.created_at) })}
          {' · '}
          {user.last_login_at === null
            ? t('users.never_logged_in')
            : t('users.last_login_at', { time: timeOf(user.last_login_at) })}
        </Text>
        {user.former_username !== null && (
          <Text size="sm" c="dimmed">
            {t('users.former_username', { name: user.former_username })}
          </Text>
        )}
        {user.terms_version !== null && user.terms_accepted_at !== null && (
          <Text size="sm" c="dimmed">
            {t('users.accepted_terms', { version: user.terms_version, time: timeOf(user.terms_accepted_at) })}
          </Text>
        )}
        <CopyButton name={user.id} />
      </div>
    </Group>
  );
}

const tabs = ['overview', 'access', 'security', 'sessions', 'activity'] as const;

/** The tab is in the address. All but the activity stay mounted, so that unsaved input is kept. */
function Parts({ user }: PartProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [{ tab }, setFilter] = useFilters(['tab']);
  const shown = oneOf(tabs, tab) || 'overview';
  return (
    <Tabs
      value={shown}
      onChange={(next) => {
        setFilter('tab', next === 'overview' ? '' : (next ?? ''));
      }}
    >
      <Tabs.List mb="md">
        {tabs
          .filter((name) => name !== 'activity' || may('audit:read'))
          .map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`users.tab_${name}`)}
            </Tabs.Tab>
          ))}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <div className="columns">
          <UserDetails key={user.id} user={user} onSaved={show} />
          <Stack>
            <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
              <UserAttributes key={user.id} user={user} onSaved={show} />
              <UserLogins userId={user.id} username={user.username} />
            </Suspense>
          </Stack>
        </div>
      </Tabs.Panel>
      <Tabs.Panel value="access">
        <Stack>
          <UserRoles userId={user.id} username={user.username} />
          <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
            <UserGrants userId={user.id} username={user.username} />
          </Suspense>
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="security">
        <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
          <UserSecurity user={user} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="sessions">
        <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
          <UserSessions userId={user.id} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="activity">
        {shown === 'activity' && (
          <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
            <UserActivity userId={user.id} />
          </Suspense>
        )}
      </Tabs.Panel>
    </Tabs>
  );
}

export function UserPage(): ReactNode {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const query = $api.useQuery('get', '/api/user/{id}', { params: { path: { id } } });
  return (
    <Page wide title={query.data?.username ?? t('nav.users')}>
      <Loaded query={query}>
        {(user) => (
          <>
            <Head user={user} />
            <Actions user={user} />
            <Parts user={user} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
