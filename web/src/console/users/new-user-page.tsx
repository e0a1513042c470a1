import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useMay } from '../use-permission';
import { Form } from '../../session/form';
import { Page } from '../components/page';
import { PasswordInput } from '../components/password-input';
import { useSubmit } from '../hooks/use-submit';
import { given } from '../hooks/use-filters';
import { useGoOn } from '../hooks/use-go-on';
import { queryClient } from '../query-client';
import { usersKey } from './admin-user';
import { RolePicker } from '../roles/role-picker';

const fields = ['username', 'nickname', 'email', 'phone'] as const;

export function NewUserPage(): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const goOn = useGoOn();
  const may = useMay();
  const [values, setValues] = useState({ username: '', nickname: '', email: '', phone: '', password: '' });
  const [roleIds, setRoleIds] = useState<readonly string[]>([]);
  const [isInvited, setIsInvited] = useState(false);
  const mayInvite = values.email !== '' && values.password === '';
  const set = (name: keyof typeof values, value: string): void => {
    setValues({ ...values, [name]: value });
  };
  const create = async (): Promise<void> => {
    const invites = mayInvite && isInvited;
    const proof = invites ? { email_verified: true } : {};
    const body = { ...given(values), ...proof, username: values.username, role_ids: [...roleIds] };
    const answer = await act.run(() => api.POST('/api/user', { body }), t('users.created'));
    if (!answer?.data) return;
    await queryClient.invalidateQueries({ queryKey: usersKey });
    const params = { path: { id: answer.data.id } };
    if (invites) await act.run(() => api.POST('/api/user/{id}/password-reset', { params }), t('users.reset_sent'));
    await goOn(`/admin/users/${answer.data.id}`);
  };
  return (
    <Page title={t('users.create')} lead={t('users.create_lead')}>
      <Form act={act} onSubmit={create}>
        <Stack>
          {fields.map((name) => (
            <TextInput
              key={name}
              label={t(name === 'username' ? 'users.username' : `field.${name}`)}
              name={name}
              required={name === 'username'}
              value={values[name]}
              error={act.fields[name]}
              autoComplete="off"
              onChange={(event) => {
                set(name, event.currentTarget.value);
              }}
            />
          ))}
          <PasswordInput
            label={t('users.first_password')}
            description={t('users.first_password_hint')}
            value={values.password}
            error={act.fields['password']}
            autoComplete="new-password"
            onChange={(event) => {
              set('password', event.currentTarget.value);
            }}
          />
          {mayInvite && (
            <Checkbox
              label={t('users.invite')}
              description={t('users.invite_hint')}
              checked={isInvited}
              onChange={(event) => {
                setIsInvited(event.currentTarget.checked);
              }}
            />
          )}
          {may('role:read') && <RolePicker ids={roleIds} editable onChange={setRoleIds} />}
          <Group>
            <Button type="submit" loading={act.busy}>
              {t('users.create')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Page>
  );
}
