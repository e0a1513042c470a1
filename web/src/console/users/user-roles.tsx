import { Button, Card, Group, NativeSelect, Pill, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { Loaded } from '../components/loaded';
import { useSubmit } from '../hooks/use-submit';
import { queryClient } from '../query-client';
import { useUnsaved } from '../../session/unsaved';
import { useAllRoles } from '../roles/role-lists';

type HeldRole = components['schemas']['AssignedRoleDto'];

const heldBy = (id: string) => $api.queryOptions('get', '/api/user/{id}/roles', { params: { path: { id } } });

function AddRole({ userId, held }: { readonly userId: string; readonly held: readonly HeldRole[] }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [roleId, setRoleId] = useState('');
  useUnsaved(roleId !== '');
  const roles = useAllRoles();
  const others = roles.filter(({ value }) => !held.some(({ id }) => id === value));
  const give = async (): Promise<void> => {
    const options = { params: { path: { id: userId } }, body: { role_ids: [roleId] } };
    const answer = await act.run(() => api.POST('/api/user/{id}/roles', options), t('act.saved'));
    if (!answer?.data) return;
    setRoleId('');
    queryClient.setQueryData(heldBy(userId).queryKey, answer.data);
  };
  return (
    <Group align="flex-end">
      <NativeSelect
        label={t('users.add_role')}
        value={roleId}
        data={[{ value: '', label: '' }, ...others]}
        onChange={(event) => {
          setRoleId(event.currentTarget.value);
        }}
      />
      <Button variant="default" disabled={roleId === ''} loading={act.busy} onClick={() => void give()}>
        {t('act.add')}
      </Button>
    </Group>
  );
}

interface UserRolesProps {
  readonly userId: string;
  readonly username: string;
}

/** Assigns and removes the roles of a user. */
export function UserRoles({ userId, username }: UserRolesProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const act = useSubmit();
  const query = $api.useQuery('get', '/api/user/{id}/roles', { params: { path: { id: userId } } });
  const take = async ({ id, name }: HeldRole): Promise<void> => {
    const text = t('roles.remove_member_ask', { user: username, role: name });
    if (!(await ask({ title: t('users.take_role', { role: name }), text, confirm: t('act.remove') }))) return;
    const params = { path: { id: userId, role_id: id } };
    if (await act.run(() => api.DELETE('/api/user/{id}/roles/{role_id}', { params }), t('act.saved'))) {
      await queryClient.invalidateQueries({ queryKey: heldBy(userId).queryKey });
    }
  };
  return (
    <Card withBorder component="section">
      <Stack>
        <Title order={2} size="h4">
          {t('nav.roles')}
        </Title>
        <Loaded query={query}>
          {({ items }) => (
            <>
              {items.length === 0 && <Text c="dimmed">{t('users.no_roles')}</Text>}
              <Group gap="xs">
                {items.map((role) => (
                  <Pill
                    key={role.id}
                    size="lg"
                    withRemoveButton={may('role:update')}
                    removeButtonProps={{
                      'aria-label': t('users.take_role', { role: role.name }),
                      'aria-hidden': false,
                      tabIndex: 0,
                    }}
                    onRemove={() => void take(role)}
                  >
                    {role.scope} · {role.name}
                  </Pill>
                ))}
              </Group>
              {may('role:update') && <AddRole userId={userId} held={items} />}
            </>
          )}
        </Loaded>
      </Stack>
    </Card>
  );
}
