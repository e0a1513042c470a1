import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { components } from '../../api/schema';
import { levelNames } from '../../shared/permissions';
import { $api, api } from '../api';
import { useMay } from '../may';
import { ask } from '../parts/ask';
import { Loaded } from '../parts/loaded';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { DataTable } from '../parts/table';
import { useAct } from '../parts/use-act';
import { AddPermission, showRole } from './add-permission';
import { RoleMembers } from './role-members';
import type { Role } from './roles-page';

type Grant = components['schemas']['GrantDto'];

interface PartProps {
  readonly role: Role;
}

function Permissions({ role, editable }: PartProps & { readonly editable: boolean }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const remove = async (grant: Grant): Promise<void> => {
    const name = `${grant.scope}:${grant.permission_id}`;
    const text = t('roles.remove_ask', { permission: name, count: role.user_count });
    if (!(await ask({ title: t('roles.remove', { permission: name }), text, confirm: t('act.remove') }))) return;
    const options = { params: { path: { id: role.id } }, body: { remove: [name] } };
    const answer = await act.run(() => api.PATCH('/api/role/{id}', options), t('act.saved'));
    if (answer?.data) showRole(answer.data);
  };
  const columns = [
    { name: t('roles.scope'), show: (grant: Grant) => grant.scope },
    { name: t('roles.permission'), show: (grant: Grant) => <code>{grant.permission_id}</code> },
    { name: t('roles.level'), show: (grant: Grant) => t(`roles.level_${levelNames[grant.level - 1] ?? 'admin'}`) },
    ...(editable
      ? [
          {
            name: t('list.actions'),
            show: (grant: Grant) => (
              <Button
                size="compact-sm"
                variant="default"
                loading={act.busy}
                aria-label={t('roles.remove', { permission: grant.permission_id })}
                onClick={() => void remove(grant)}
              >
                {t('act.remove')}
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <Card withBorder component="section">
      <Stack>
        <Title order={2} size="h4">
          {t('roles.permissions')}
        </Title>
        <Text c="dimmed">{t('roles.levels_explained')}</Text>
        <DataTable
          label={t('roles.permissions')}
          columns={columns}
          rows={role.permissions}
          rowKey={(grant) => `${grant.scope}:${grant.permission_id}`}
          empty={t('roles.no_permissions')}
        />
        {editable && <AddPermission role={role} />}
      </Stack>
    </Card>
  );
}

function DeleteRole({ role }: PartProps): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const go = useNavigate();
  const remove = async (): Promise<void> => {
    const text = t('roles.delete_ask', { count: role.user_count });
    if (!(await ask({ title: t('roles.delete'), text, confirm: t('roles.delete') }))) return;
    const params = { path: { id: role.id } };
    if (await act.run(() => api.DELETE('/api/role/{id}', { params }), t('roles.deleted'))) await go('/admin/roles');
  };
  return (
    <Button variant="default" className="danger" loading={act.busy} onClick={() => void remove()}>
      {t('roles.delete')}
    </Button>
  );
}

export function RolePage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { id = '' } = useParams();
  const query = $api.useQuery('get', '/api/role/{id}', { params: { path: { id } } });
  return (
    <Page title={query.data?.name ?? t('nav.roles')} lead={query.data?.description ?? ''}>
      <Loaded query={query}>
        {(role) => (
          <>
            <Group>
              <Mark tone="plain">{role.scope}</Mark>
              {role.is_system && <Text c="dimmed">{t('roles.system_hint')}</Text>}
              {!role.is_system && may('role:delete') && <DeleteRole role={role} />}
            </Group>
            <Permissions role={role} editable={!role.is_system && may('role:update')} />
            {!role.is_system && <RoleMembers role={role} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
