import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, api } from '../api';
import { Section } from '../parts/section';
import { useAct } from '../parts/use-act';
import { queryClient } from '../query-client';
import { reloadRoles } from './role-lists';
import type { Role } from './roles-page';

/** Shows what the service answered after a change. */
export function showRole(role: Role): void {
  const { queryKey } = $api.queryOptions('get', '/api/role/{id}', { params: { path: { id: role.id } } });
  queryClient.setQueryData(queryKey, role);
  void reloadRoles();
}

/** What a role is called, and whether its members need a second factor. */
export function RoleDetails({ role }: { readonly role: Role }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const [name, setName] = useState(role.name);
  const [description, setDescription] = useState(role.description);
  const [mfaRequired, setMfaRequired] = useState(role.mfa_required);
  const save = async (): Promise<void> => {
    const body = {
      ...(name !== role.name && { name }),
      ...(description !== role.description && { description }),
      ...(mfaRequired !== role.mfa_required && { mfa_required: mfaRequired }),
    };
    const options = { params: { path: { id: role.id } }, body };
    const answer = await act.run(() => api.PATCH('/api/role/{id}', options), t('act.saved'));
    if (answer?.data) showRole(answer.data);
  };
  return (
    <Section title={t('roles.details')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          <TextInput
            label={t('roles.name')}
            value={name}
            error={act.fields['name']}
            autoComplete="off"
            onChange={(event) => {
              setName(event.currentTarget.value);
            }}
          />
          <Textarea
            label={t('roles.description')}
            value={description}
            error={act.fields['description']}
            autosize
            onChange={(event) => {
              setDescription(event.currentTarget.value);
            }}
          />
          <Checkbox
            label={t('roles.mfa_required')}
            description={t('roles.mfa_required_hint')}
            checked={mfaRequired}
            onChange={(event) => {
              setMfaRequired(event.currentTarget.checked);
            }}
          />
          <Group>
            <Button type="submit" loading={act.busy}>
              {t('act.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
