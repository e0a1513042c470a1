import { Button, Group, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { Form } from '../parts/form';
import { useAct } from '../parts/use-act';

interface PasskeyNameProps {
  readonly id: string;
  readonly name: string;
  readonly onRenamed: () => Promise<void>;
}

/** Lets the user rename a passkey. */
export function PasskeyName({ id, name, onRenamed }: PasskeyNameProps): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const [typed, setTyped] = useState<string>();
  if (typed === undefined) {
    return (
      <Button
        variant="default"
        aria-label={t('mfa.rename_of', { name })}
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
      <Group align="flex-end">
        <TextInput
          label={t('mfa.passkey_name')}
          value={typed}
          error={act.fields['name']}
          maxLength={50}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.currentTarget.value);
          }}
        />
        <Button type="submit" loading={act.busy}>
          {t('act.save')}
        </Button>
      </Group>
    </Form>
  );
}
