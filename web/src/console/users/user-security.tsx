import { Button, Card, Group, Stack, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { ask } from '../components/ask';
import { Form } from '../../session/form';
import { PasswordInput } from '../components/password-input';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import type { AdminUser } from './admin-user';
import { ResetFactors } from './reset-factors';

interface PartProps {
  readonly user: AdminUser;
}

function PasswordPart({ user }: PartProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
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

function Resets({ user }: PartProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const params = { path: { id: user.id } };
  const sendReset = async (): Promise<void> => {
    const title = t('users.send_reset');
    if (!(await ask({ title, text: t('users.send_reset_ask', { user: user.username }), confirm: title }))) return;
    await act.run(() => api.POST('/api/user/{id}/password-reset', { params }), t('users.reset_sent'));
  };
  return (
    <Section title={t('users.resets')}>
      <Group>
        {user.status === 'active' && (user.email_verified || user.phone_verified) && (
          <Button variant="default" loading={act.busy} onClick={() => void sendReset()}>
            {t('users.send_reset')}
          </Button>
        )}
        <ResetFactors userId={user.id} username={user.username} />
      </Group>
    </Section>
  );
}

/** Help for a user who lost a password or a second factor. */
export function UserSecurity({ user }: PartProps): ReactNode {
  return (
    <Stack>
      <Resets user={user} />
      <PasswordPart user={user} />
    </Stack>
  );
}
