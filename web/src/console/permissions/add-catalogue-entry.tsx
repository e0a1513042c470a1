import { Button, Card, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { levelNames } from 'castellan-client';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { Form } from '../../session/form';
import { useSubmit } from '../hooks/use-submit';
import { reloadCatalogue } from './catalogue';

const nothing = { scope: '', permission_id: '', description: '' };
type Field = keyof typeof nothing;

const isStandard = (permission: string): boolean =>
  levelNames.some((name) => name === permission.slice(permission.indexOf(':') + 1));

/** Adds a permission of another service to the catalogue. */
export function AddCatalogueEntry(): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [values, setValues] = useState(nothing);
  const [level, setLevel] = useState<number>(levelNames.length);
  const add = async (): Promise<void> => {
    const body = { ...values, ...(!isStandard(values.permission_id) && { required_level: level }) };
    if (!(await act.run(() => api.POST('/api/permission', { body }), t('act.saved')))) return;
    setValues({ ...nothing, scope: values.scope });
    await reloadCatalogue();
  };
  const inputOf = (field: Field, label: string, placeholder?: string): ReactNode => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={values[field]}
      error={act.fields[field]}
      autoComplete="off"
      onChange={(event) => {
        setValues({ ...values, [field]: event.currentTarget.value });
      }}
    />
  );
  return (
    <Card withBorder component="section">
      <Form act={act} onSubmit={add}>
        <Stack gap="sm">
          <Title order={2} size="h4">
            {t('permissions.add')}
          </Title>
          <Text c="dimmed">{t('permissions.add_lead')}</Text>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {inputOf('scope', t('permissions.other_scope'), 'crm')}
            {inputOf('permission_id', t('permissions.other_permission'), 'report:publish')}
            {inputOf('description', t('roles.description'))}
            <NativeSelect
              label={t('permissions.least_level')}
              disabled={isStandard(values.permission_id)}
              value={String(level)}
              data={levelNames.map((name, index) => ({ value: String(index + 1), label: t(`roles.level_${name}`) }))}
              onChange={(event) => {
                setLevel(Number(event.currentTarget.value));
              }}
            />
          </SimpleGrid>
          <Group>
            <Button type="submit" loading={act.busy} disabled={values.scope === '' || values.permission_id === ''}>
              {t('act.add')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Card>
  );
}
