import { Button, Card, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { findGroup, reloadGroups } from '../groups/group-lists';
import { usePlaceAccess } from '../organizations/use-place-access';
import { useMay } from '../may';
import { ask } from '../parts/ask';
import { Form } from '../parts/form';
import { useAct } from '../parts/use-act';
import { invalidateLists } from '../query-client';
import { usersKey, type AdminUser } from './admin-user';
import { ExportUsers } from './export-users';
import { reloadRoles, useAllRoles } from './role-lists';
import type { UserSelection } from './use-user-selection';

interface SelectionProps {
  readonly selection: UserSelection;
}

interface AddingProps {
  readonly ids: readonly string[];
  readonly onDone: () => Promise<void>;
}

const MAX_NAMED = 10;

/** Names the selected users, the first of many. */
function useNamed({ chosen }: UserSelection): string {
  const { t } = useTranslation();
  const names = [...chosen.values()];
  const more = names.length - MAX_NAMED;
  return [...names.slice(0, MAX_NAMED), ...(more > 0 ? [t('users.more_users', { count: more })] : [])].join(', ');
}

function AddToRole({ ids, onDone }: AddingProps): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const roles = useAllRoles(({ is_system }) => !is_system);
  const [id, setId] = useState('');
  const add = async (): Promise<void> => {
    const options = { params: { path: { id } }, body: { user_ids: [...ids] } };
    if (!(await act.run(() => api.POST('/api/role/{id}/users', options), t('act.saved')))) return;
    await reloadRoles();
    await onDone();
  };
  return (
    <Form act={act} onSubmit={add}>
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
          {t('act.add')}
        </Button>
      </Group>
    </Form>
  );
}

function AddToGroup({ ids, onDone }: AddingProps): ReactNode {
  const { t } = useTranslation();
  const access = usePlaceAccess();
  const act = useAct();
  const [name, setName] = useState('');
  const add = async (): Promise<void> => {
    const found = await act.find(() => findGroup(name.trim(), access));
    if (!found) return;
    if (!found.data) {
      act.showMessage({ group: t('groups.unknown', { name }) });
      return;
    }
    const options = { params: { path: { id: found.data.id } }, body: { user_ids: [...ids] } };
    if (!(await act.run(() => api.POST('/api/group/{id}/users', options), t('act.saved')))) return;
    await reloadGroups();
    await onDone();
  };
  return (
    <Form act={act} onSubmit={add}>
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
          {t('act.add')}
        </Button>
      </Group>
    </Form>
  );
}

/** What can be done with the selected users at once. Loaded with the first selection. */
export default function UserSelectionBar({ selection }: SelectionProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const act = useAct();
  const [adding, setAdding] = useState<'role' | 'group'>();
  const users = useNamed(selection);
  const ids = [...selection.chosen.keys()];
  const finish = async (): Promise<void> => {
    setAdding(undefined);
    selection.clear();
    await invalidateLists(usersKey);
  };
  const setStatus = async (status: AdminUser['status']): Promise<void> => {
    const title = t(status === 'disabled' ? 'users.disable' : 'users.enable');
    const text = t(status === 'disabled' ? 'users.disable_many_ask' : 'users.enable_many_ask', { users });
    if (!(await ask({ title, text, confirm: title }))) return;
    const body = { user_ids: ids, status };
    if (await act.run(() => api.POST('/api/user/batch/status', { body }), t('act.saved'))) await finish();
  };
  const addings = (['role', 'group'] as const).filter((kind) => may(`${kind}:update`) && may(`${kind}:read`));
  return (
    <Card withBorder component="section" aria-label={t('users.selected')}>
      <Stack gap="sm">
        <Text size="sm">{t('users.selected_count', { count: ids.length })}</Text>
        <Group gap="xs">
          <Button variant="default" loading={act.busy} onClick={() => void setStatus('disabled')}>
            {t('users.disable')}
          </Button>
          <Button variant="default" loading={act.busy} onClick={() => void setStatus('active')}>
            {t('users.enable')}
          </Button>
          {addings.map((kind) => (
            <Button
              key={kind}
              variant="default"
              aria-expanded={adding === kind}
              onClick={() => {
                setAdding(adding === kind ? undefined : kind);
              }}
            >
              {t(`users.add_to_${kind}`)}
            </Button>
          ))}
          <ExportUsers query={{ ids: ids.join() }} label={t('users.export')} />
          <Button variant="subtle" onClick={selection.clear}>
            {t('users.clear_selection')}
          </Button>
        </Group>
        {adding === 'role' && <AddToRole ids={ids} onDone={finish} />}
        {adding === 'group' && <AddToGroup ids={ids} onDone={finish} />}
      </Stack>
    </Card>
  );
}
