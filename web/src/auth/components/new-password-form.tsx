import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { Info } from '../../shared/info';
import { useSubmit } from '../use-submit';
import { PasswordInput } from '../../ui-basic/fields';
import { Form } from './form';
import { passwordHint } from './password-hint';

interface NewPasswordFormProps {
  readonly info: Info;
  /** Current password, if the user has just typed it. */
  readonly current: string | undefined;
  readonly onDone: () => void;
}

export function NewPasswordForm({ info, current: known, onDone }: NewPasswordFormProps): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const [current, setCurrent] = useState(known ?? '');
  const [wanted, setWanted] = useState('');
  const change = async (): Promise<void> => {
    const body = { new_password: wanted, ...(current !== '' && { current_password: current }) };
    if (await submission.send(() => api.PUT('/api/auth/me/password', { body }))) onDone();
  };
  return (
    <Form submission={submission} action={t('new_password.submit')} onSubmit={() => void change()}>
      {known === undefined && (
        <PasswordInput
          label={t('new_password.current')}
          value={current}
          onChange={setCurrent}
          error={submission.fields['current_password']}
          autoComplete="current-password"
          autoFocus
        />
      )}
      <PasswordInput
        label={t('new_password.wanted')}
        hint={passwordHint(t, info, { password: wanted })}
        value={wanted}
        onChange={setWanted}
        error={submission.fields['new_password']}
        autoComplete="new-password"
        autoFocus={known !== undefined}
      />
    </Form>
  );
}
