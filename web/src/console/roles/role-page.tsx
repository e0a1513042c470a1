import { Button, Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Permission } from 'castellan-client';
import { Trash2 } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { useMay } from '../may';
import { ask } from '../parts/ask';
import { Loaded } from '../parts/loaded';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { Section } from '../parts/section';
import { useAct } from '../parts/use-act';
import { useGoOn } from '../parts/use-go-on';
import { useRemoveOnLeave } from '../parts/use-remove-on-leave';
import { queryClient } from '../query-client';
import { AddPermission } from '../permissions/add-permission';
import { codeOf, GrantsTable } from '../permissions/grants-table';
import { RoleComparison } from './role-comparison';
import { RoleCopy } from './role-copy';
import { RoleDetails, showRole } from './role-details';
import { reloadRoles, type Role } from './role-lists';
import { RoleMembers } from './role-members';

const RoleGroups = lazy(() => import('../groups/role-groups'));

type Change = components['schemas']['ChangeRoleDto'];

const roleOf = (id: string) => $api.queryOptions('get', '/api/role/{id}', { params: { path: { id } } });

interface PartProps {
  readonly role: Role;
}

/** Returns the current number of members. It may have changed since the page loaded. */
async function membersOf(role: Role): Promise<number> {
  const { user_count } = await queryClient.query({ ...roleOf(role.id), staleTime: 0 }).catch(() => role);
  return user_count;
}

function Permissions({ role, editable }: PartProps & { readonly editable: boolean }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const change = async (body: Change): Promise<boolean> => {
    const options = { params: { path: { id: role.id } }, body };
    const answer = await act.run(() => api.PATCH('/api/role/{id}', options), t('act.saved'));
    if (answer?.data) showRole(answer.data);
    return answer !== undefined;
  };
  const remove = async (grant: Permission): Promise<void> => {
    const permission = codeOf(grant);
    const count = (await act.find(() => membersOf(role)))?.data;
    const text = t('roles.remove_ask', { permission, role: role.name, count });
    const confirmed = await ask({ title: t('roles.remove', { permission }), text, confirm: t('act.remove') });
    if (confirmed) await change({ remove: [permission] });
  };
  return (
    <Section title={t('roles.permissions')} lead={t('roles.levels_explained')}>
      <GrantsTable
        label={t('roles.permissions')}
        grants={role.permissions}
        empty={t('roles.no_permissions')}
        busy={act.busy}
        onRemove={editable ? (grant) => void remove(grant) : undefined}
      />
      {editable && (
        <AddPermission
          scope={role.scope}
          held={role.permissions}
          gains={t('roles.gains', { count: role.user_count })}
          act={act}
          onAdd={(added) => change({ add: [added] })}
        />
      )}
    </Section>
  );
}

function DeleteRole({ role }: PartProps): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const goOn = useGoOn();
  const removeOnLeave = useRemoveOnLeave(roleOf(role.id).queryKey);
  const remove = async (): Promise<void> => {
    const count = (await act.find(() => membersOf(role)))?.data;
    const text = t('roles.delete_ask', { role: role.name, count });
    if (!(await ask({ title: t('roles.delete'), text, confirm: t('roles.delete') }))) return;
    const params = { path: { id: role.id } };
    if (!(await act.run(() => api.DELETE('/api/role/{id}', { params }), t('roles.deleted')))) return;
    await reloadRoles();
    removeOnLeave();
    await goOn('/admin/roles', { replace: true });
  };
  return (
    <Button
      variant="default"
      className="danger"
      leftSection={<Trash2 />}
      loading={act.busy}
      onClick={() => void remove()}
    >
      {t('roles.delete')}
    </Button>
  );
}

export function RolePage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { id = '' } = useParams();
  const query = useQuery(roleOf(id));
  return (
    <Page wide title={query.data?.name ?? t('nav.roles')} lead={query.data?.description ?? ''}>
      <Loaded query={query}>
        {(role) => (
          <>
            <Group>
              <Mark tone="plain">{role.scope}</Mark>
              {role.mfa_required && <Mark tone="plain">{t('roles.mfa_required')}</Mark>}
              {role.is_system && <Text c="dimmed">{t('roles.system_hint')}</Text>}
              {!role.is_system && may('role:delete') && <DeleteRole role={role} />}
            </Group>
            <Permissions role={role} editable={!role.is_system && may('role:update')} />
            {!role.is_system && (
              <div className="columns">
                {may('role:update') && <RoleDetails key={role.id} role={role} />}
                <RoleMembers role={role} />
              </div>
            )}
            <div className="columns">
              <RoleComparison key={`compare ${role.id}`} role={role} />
              {may('role:create') && <RoleCopy key={`copy ${role.id}`} role={role} />}
            </div>
            {!role.is_system && may('group:read') && (
              <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
                <RoleGroups key={role.id} roleId={role.id} />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
