import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { Field, Submit } from '../../ui-basic/fields';
import { Form } from '../../session/form';
import { useSubmit } from '../use-submit';
import { Button } from './button';

interface PasskeyNameProps {
  readonly id: string;
  readonly name: string;
  readonly onRenamed: () => Promise<void>;
}

/** Lets the user rename a passkey. */
export function PasskeyName({ id, name, onRenamed }: PasskeyNameProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [typed, setTyped] = useState<string>();
  if (typed === undefined) {
    return (
      <Button
        label={t('mfa.rename_of', { name })}
        onClick={() => {
          setTyped(name);
        }}
      >
        {t('mfa.rename')}
      </Button>
    );
  }
  const rename = async (): Promise<void> => {
    const options = { params: { path: { id } }, body: { name: typed } };
    if (!(await act.run(() => api.PATCH('/api/auth/passkeys/{id}', options), t('act.saved')))) return;
    setTyped(undefined);
    await onRenamed();
  };
  return (
    <Form act={act} onSubmit={rename}>
      <Field
        label={t('mfa.passkey_name')}
        value={typed}
        error={act.fields['name']}
        maxLength={50}
        autoComplete="off"
        onChange={setTyped}
      />
      <Submit busy={act.busy}>{t('act.save')}</Submit>
    </Form>
  );
}
