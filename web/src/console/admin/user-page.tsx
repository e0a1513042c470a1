import { Avatar, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { $api, api } from '../api';
import { ask } from '../parts/ask';
import { Form } from '../parts/form';
import { Loaded } from '../parts/loaded';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { timeOf } from '../parts/time';
import { useAct } from '../parts/use-act';
import { useRemoveOnLeave } from '../parts/use-remove-on-leave';
import { invalidateLists, queryClient } from '../query-client';
import { UserDetails } from './user-details';
import { UserGrants } from './user-grants';
import { UserRoles } from './user-roles';
import { UserSessions } from './user-sessions';
import type { AdminUser } from './users-page';
import { PasswordInput } from '../parts/password-input';

const userOf = (id: string) => $api.queryOptions('get', '/api/user/{id}', { params: { path: { id } } });

interface PartProps {
  readonly user: AdminUser;
}

function show(user: AdminUser): void {
  queryClient.setQueryData(userOf(user.id).queryKey, user);
  void queryClient.invalidateQueries({ queryKey: ['users'] });
}

function PasswordPart({ user }: PartProps): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const [password, setPassword] = useState('');
  const give = async (): Promise<void> => {
    const options = { params: { path: { id: user.id } }, body: { new_password: password } };
    if (await act.run(() => api.PUT('/api/user/{id}/password', options), t('users.password_given'))) setPassword('');
  };
  return (
    <Card withBorder component="section">
      <Form act={act} onSubmit={give}>
        <Stack>
          <Title order={2} size="h4">
            {t('users.give_password')}
          </Title>
          <PasswordInput
            label={t('field.new_password')}
            description={t('users.give_password_hint')}
            value={password}
            error={act.fields['new_password']}
            autoComplete="new-password"
            onChange={(event) => {
              setPassword(event.currentTarget.value);
            }}
          />
          <Group>
            <Button type="submit" variant="default" loading={act.busy}>
              {t('act.save')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Card>
  );
}

function Actions({ user }: PartProps): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const go = useNavigate();
  const removeOnLeave = useRemoveOnLeave(userOf(user.id).queryKey);
  const params = { path: { id: user.id } };
  const isActive = user.status === 'active';
  const setStatus = async (): Promise<void> => {
    const title = t(isActive ? 'users.disable' : 'users.enable');
    if (isActive && !(await ask({ title, text: t('users.disable_ask'), confirm: title }))) return;
    const body = { status: isActive ? 'disabled' : 'active' } as const;
    const answer = await act.run(() => api.PATCH('/api/user/{id}', { params, body }), t('act.saved'));
    if (answer?.data) show(answer.data);
  };
  const unlock = async (): Promise<void> => {
    if (await act.run(() => api.DELETE('/api/user/{id}/lock', { params }), t('act.saved'))) {
      show({ ...user, locked_until: null });
    }
  };
  const sendReset = async (): Promise<void> => {
    const title = t('users.send_reset');
    if (!(await ask({ title, text: t('users.send_reset_ask', { user: user.username }), confirm: title }))) return;
    await act.run(() => api.POST('/api/user/{id}/password-reset', { params }), t('users.reset_sent'));
  };
  const resetMfa = async (): Promise<void> => {
    const title = t('users.reset_mfa');
    if (!(await ask({ title, text: t('users.reset_mfa_ask'), confirm: title }))) return;
    await act.run(() => api.DELETE('/api/user/{id}/mfa', { params }), t('users.mfa_reset'));
    await queryClient.invalidateQueries({ queryKey: ['get', '/api/user/{id}/sessions'] });
  };
  const remove = async (): Promise<void> => {
    const question = { title: t('users.delete'), text: t('users.delete_ask'), confirm: t('users.delete') };
    if (!(await ask(question))) return;
    if (!(await act.run(() => api.DELETE('/api/user/{id}', { params }), t('users.deleted')))) return;
    await invalidateLists(['users']);
    removeOnLeave();
    await go('/admin/users', { replace: true });
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
      {isActive && (user.email_verified || user.phone_verified) && (
        <Button variant="default" loading={act.busy} onClick={() => void sendReset()}>
          {t('users.send_reset')}
        </Button>
      )}
      <Button variant="default" loading={act.busy} onClick={() => void resetMfa()}>
        {t('users.reset_mfa')}
      </Button>
      <Button variant="default" className="danger" loading={act.busy} onClick={() => void remove()}>
        {t('users.delete')}
      </Button>
    </Group>
  );
}

function Head({ user }: PartProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Group wrap="nowrap">
      <Avatar src={user.avatar} size="lg" alt="" />
      <div className="wrap">
        <Group gap="xs">
          <Mark tone={user.status === 'active' ? 'good' : 'bad'}>{t(`users.status_${user.status}`)}</Mark>
          {user.locked_until !== null && (
            <Mark tone="bad">{t('users.locked_until', { time: timeOf(user.locked_until) })}</Mark>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {t('users.since', { time: timeOf(user.created_at) })}
        </Text>
      </div>
    </Group>
  );
}

export function UserPage(): ReactNode {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const query = $api.useQuery('get', '/api/user/{id}', { params: { path: { id } } });
  return (
    <Page title={query.data?.username ?? t('nav.users')}>
      <Loaded query={query}>
        {(user) => (
          <>
            <Head user={user} />
            <Actions user={user} />
            <UserDetails key={user.id} user={user} onSaved={show} />
            <UserRoles userId={user.id} username={user.username} />
            <UserGrants userId={user.id} username={user.username} />
            <UserSessions userId={user.id} />
            <PasswordPart user={user} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
