import { Button, Group, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useInfo } from '../info-context';
import { useMe } from '../me';
import { Form } from '../../session/form';
import { useSubmit } from '../hooks/use-submit';
import { invalidateMe } from '../query-client';
import { PasswordInput } from '../components/password-input';

/** Changes the user's password, or sets the first one. */
export function PasswordForm({ onDone }: { readonly onDone: () => Promise<void> }): ReactNode {
  const { t } = useTranslation();
  const { password } = useInfo();
  const me = useMe();
  const act = useSubmit();
  const [current, setCurrent] = useState('');
  const [wanted, setWanted] = useState('');
  const change = async (): Promise<void> => {
    const body = { new_password: wanted, ...(me.has_password && { current_password: current }) };
    if (!(await act.run(() => api.PUT('/api/auth/me/password', { body }), t('security.password_changed')))) return;
    setCurrent('');
    setWanted('');
    await Promise.all([invalidateMe(), onDone()]);
  };
  return (
    <Form act={act} onSubmit={change}>
      <Stack>
        {me.has_password && (
          <PasswordInput
            label={t('field.current_password')}
            value={current}
            error={act.fields['current_password']}
            autoComplete="current-password"
            onChange={(event) => {
              setCurrent(event.currentTarget.value);
            }}
          />
        )}
        <PasswordInput
          label={t('field.new_password')}
          description={t('security.password_hint', { min: password.min_length })}
          value={wanted}
          error={act.fields['new_password']}
          autoComplete="new-password"
          onChange={(event) => {
            setWanted(event.currentTarget.value);
          }}
        />
        <Group>
          <Button type="submit" loading={act.busy}>
            {t('act.save')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
