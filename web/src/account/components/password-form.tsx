import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { PasswordInput, Submit } from '../../ui-basic/fields';
import { Form } from '../../session/form';
import { info } from '../info';
import { reloadChangedMe, useMe } from '../me';
import { useSubmit } from '../use-submit';
import { reloadFailed } from '../use-load';

/** Changes the user's password, or sets the first one. */
export function PasswordForm(): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const act = useSubmit();
  const [current, setCurrent] = useState('');
  const [wanted, setWanted] = useState('');
  const change = async (): Promise<void> => {
    const body = { new_password: wanted, ...(me.has_password && { current_password: current }) };
    if (!(await act.run(() => api.PUT('/api/auth/me/password', { body }), t('security.password_changed')))) return;
    setCurrent('');
    setWanted('');
    await Promise.all([reloadChangedMe(), reloadFailed()]);
  };
  return (
    <Form act={act} onSubmit={change}>
      {me.has_password && (
        <PasswordInput
          label={t('field.current_password')}
          value={current}
          error={act.fields['current_password']}
          autoComplete="current-password"
          onChange={setCurrent}
        />
      )}
      <PasswordInput
        label={t('field.new_password')}
        hint={t('security.password_hint', { min: info.password.min_length })}
        value={wanted}
        error={act.fields['new_password']}
        autoComplete="new-password"
        onChange={setWanted}
      />
      <Submit busy={act.busy}>{t('act.save')}</Submit>
    </Form>
  );
}
