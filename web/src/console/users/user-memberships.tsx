import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { findGroup, reloadGroups } from '../groups/group-lists';
import { usePlaceAccess } from '../organizations/use-place-access';
import { ask } from '../components/ask';
import { Form } from '../../session/form';
import { useSubmit } from '../hooks/use-submit';
import { reloadRoles, useAllRoles } from '../roles/role-lists';

interface ChangeProps {
  readonly act: 'add' | 'remove';
  readonly ids: readonly string[];
  /** The names of the users, for the question before a removal. */
  readonly users: string;
  readonly onDone: () => Promise<void>;
}

/** Adds the selected users to a role, or removes them from it. */
export function ChangeRole({ act: change, ids, users, onDone }: ChangeProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const roles = useAllRoles(({ is_system }) => !is_system);
  const [id, setId] = useState('');
  const options = { params: { path: { id } }, body: { user_ids: [...ids] } };
  const add = () => api.POST('/api/role/{id}/users', options);
  const remove = () => api.POST('/api/role/{id}/users/remove', options);
  const submit = async (): Promise<void> => {
    const name = roles.find(({ value }) => value === id)?.label ?? '';
    const text = t('users.remove_from_role_ask', { role: name, users });
    const title = t('users.remove_from_role');
    if (change === 'remove' && !(await ask({ title, text, confirm: t('act.remove') }))) return;
    if (!(await act.run<unknown>(change === 'add' ? add : remove, t('act.saved')))) return;
    await reloadRoles();
    await onDone();
  };
  return (
    <Form act={act} onSubmit={submit}>
      <Group align="flex-end">
        <NativeSelect
          label={t('users.role')}
          value={id}
          data={[{ value: '', label: '' }, ...roles]}
          onChange={(event) => {
            setId(event.currentTarget.value);
          }}
        />
        <Button type="submit" disabled={id === ''} loading={act.busy}>
          {t(`act.${change}`)}
        </Button>
      </Group>
    </Form>
  );
}

/** Adds the selected users to a group, or removes them from it. */
export function ChangeGroup({ act: change, ids, users, onDone }: ChangeProps): ReactNode {
  const { t } = useTranslation();
  const access = usePlaceAccess();
  const act = useSubmit();
  const [name, setName] = useState('');
  const submit = async (): Promise<void> => {
    const found = await act.find(() => findGroup(name.trim(), access));
    if (!found) return;
    if (!found.data) {
      act.showMessage({ group: t('groups.unknown', { name }) });
      return;
    }
    const options = { params: { path: { id: found.data.id } }, body: { user_ids: [...ids] } };
    const add = () => api.POST('/api/group/{id}/users', options);
    const remove = () => api.POST('/api/group/{id}/users/remove', options);
    const text = t('users.remove_from_group_ask', { group: found.data.name, users });
    const title = t('users.remove_from_group');
    if (change === 'remove' && !(await ask({ title, text, confirm: t('act.remove') }))) return;
    if (!(await act.run<unknown>(change === 'add' ? add : remove, t('act.saved')))) return;
    await reloadGroups();
    await onDone();
  };
  return (
    <Form act={act} onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          label={t('users.group_name')}
          value={name}
          error={act.fields['group']}
          autoComplete="off"
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        <Button type="submit" disabled={name.trim() === ''} loading={act.busy}>
          {t(`act.${change}`)}
        </Button>
      </Group>
    </Form>
  );
}
