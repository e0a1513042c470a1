import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../session/form';
import { api } from '../api';
import { Page } from '../components/page';
import { useSubmit } from '../hooks/use-submit';
import { useGoOn } from '../hooks/use-go-on';
import { blankForm, bodyOf, reloadAttributes } from './attribute';
import { AttributeFields } from './attribute-fields';

export function NewAttributePage(): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const goOn = useGoOn();
  const [name, setName] = useState('');
  const [values, setValues] = useState(blankForm);
  const create = async (): Promise<void> => {
    const body = { name: name.trim(), ...bodyOf(values) };
    if (!(await act.run(() => api.POST('/api/attribute', { body }), t('act.saved')))) return;
    await reloadAttributes();
    await goOn('/admin/attributes');
  };
  return (
    <Page title={t('attributes.add')} lead={t('attributes.add_lead')}>
      <Form act={act} onSubmit={create}>
        <Stack gap="lg">
          <AttributeFields
            values={values}
            errors={act.fields}
            disabled={false}
            onChange={(change) => {
              setValues((before) => ({ ...before, ...change }));
            }}
          >
            <TextInput
              label={t('attributes.name')}
              description={t('attributes.name_hint')}
              name="name"
              value={name}
              error={act.fields['name']}
              required
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => {
                setName(event.currentTarget.value);
              }}
            />
          </AttributeFields>
          <Group>
            <Button type="submit" loading={act.busy}>
              {t('attributes.add')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Page>
  );
}
