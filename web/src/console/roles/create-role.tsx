import { Button, Group, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useInfo } from '../info-context';
import { ofOrganization, type PlaceAccess } from '../organizations/use-place-access';
import { Form } from '../../session/form';
import { useSubmit } from '../hooks/use-submit';
import { useGoOn } from '../hooks/use-go-on';
import { reloadRoles } from './role-lists';

interface CreateRoleProps {
  readonly access: PlaceAccess;
  /** The address of the page of a role, without the id. */
  readonly base: string;
}

/** Creates a role without permissions, and opens its page. */
export function CreateRole({ access, base }: CreateRoleProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const goOn = useGoOn();
  const info = useInfo();
  const [name, setName] = useState('');
  const [scope, setScope] = useState(info.scope);
  const create = async (): Promise<void> => {
    const body = { name, scope, ...ofOrganization(access.organizationId) };
    const options = { body, headers: access.headers('role:create') };
    const answer = await act.run(() => api.POST('/api/role', options), t('act.saved'));
    if (!answer?.data) return;
    await reloadRoles();
    await goOn(`${base}/${answer.data.id}`);
  };
  return (
    <Form act={act} onSubmit={create}>
      <Group align="flex-end">
        <TextInput
          label={t('roles.new')}
          value={name}
          error={act.fields['name']}
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        <TextInput
          label={t('roles.scope')}
          w={110}
          value={scope}
          error={act.fields['scope']}
          onChange={(event) => {
            setScope(event.currentTarget.value);
          }}
        />
        <Button type="submit" variant="default" loading={act.busy} disabled={name === ''}>
          {t('act.add')}
        </Button>
      </Group>
    </Form>
  );
}
