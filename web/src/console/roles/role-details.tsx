import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { changesOf } from '../hooks/changes';
import { Form } from '../../session/form';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import { showRole, type RoleProps } from './role-lists';

/** Name and description of a role, and whether its members need a second factor. */
export function RoleDetails({ role, access }: RoleProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const { name, description, mfa_required } = role;
  const stored = { name, description, mfa_required };
  const { values, change, saved } = useEdits(stored);
  const save = async (): Promise<void> => {
    const params = { path: { id: role.id } };
    const options = { params, body: changesOf(stored, values), headers: access.headers('role:update') };
    const answer = await act.run(() => api.PATCH('/api/role/{id}', options), t('act.saved'));
    if (!answer?.data) return;
    showRole(answer.data);
    saved(values);
  };
  return (
    <Section title={t('roles.details')}>
      <Form act={act} onSubmit={save}>
        <Stack>
          <TextInput
            label={t('roles.name')}
            value={values.name}
            error={act.fields['name']}
            autoComplete="off"
            onChange={(event) => {
              change({ name: event.currentTarget.value });
            }}
          />
          <Textarea
            label={t('roles.description')}
            value={values.description}
            error={act.fields['description']}
            autosize
            onChange={(event) => {
              change({ description: event.currentTarget.value });
            }}
          />
          <Checkbox
            label={t('roles.mfa_required')}
            description={t('roles.mfa_required_hint')}
            checked={values.mfa_required}
            onChange={(event) => {
              change({ mfa_required: event.currentTarget.checked });
            }}
          />
          <Group>
            <Button type="submit" loading={act.busy}>
              {t('act.save')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Section>
  );
}
