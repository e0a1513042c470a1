import { Anchor, Button, Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Permission } from 'castellan-client';
import { Trash2 } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'react-router';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { usePlaceAccess, type PlaceAccess } from '../organizations/use-place-access';
import { ask } from '../components/ask';
import { Loaded } from '../components/loaded';
import { Mark } from '../../session/mark';
import { Page } from '../components/page';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useGoOn } from '../hooks/use-go-on';
import { useRemoveOnLeave } from '../hooks/use-remove-on-leave';
import { queryClient } from '../query-client';
import { AddPermission } from '../permissions/add-permission';
import { codeOf, GrantsTable } from '../permissions/grants-table';
import { RoleComparison } from './role-comparison';
import { RoleCopy } from './role-copy';
import { RoleDetails } from './role-details';
import { reloadRoles, roleKey, showRole, type RoleProps } from './role-lists';
import { RoleMembers } from './role-members';

const RoleGroups = lazy(() => import('../groups/role-groups'));
const OrganizationRoleMembers = lazy(async () => ({
  default: (await import('../organizations/organization-role-members')).OrganizationRoleMembers,
}));

type Change = components['schemas']['ChangeRoleDto'];

const roleOf = (id: string, access: PlaceAccess) =>
  $api.queryOptions('get', '/api/role/{id}', { params: { path: { id } }, headers: access.headers('role:read') });

/** Returns the current number of members. It may have changed since the page loaded. */
async function membersOf({ role, access }: RoleProps): Promise<number> {
  const { user_count } = await queryClient.query({ ...roleOf(role.id, access), staleTime: 0 }).catch(() => role);
  return user_count;
}

function Permissions({ role, access }: RoleProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const editable = !role.is_system && access.may('role:update');
  const change = async (body: Change): Promise<boolean> => {
    const options = { params: { path: { id: role.id } }, body, headers: access.headers('role:update') };
    const answer = await act.run(() => api.PATCH('/api/role/{id}', options), t('act.saved'));
    if (answer?.data) showRole(answer.data);
    return answer !== undefined;
  };
  const remove = async (grant: Permission): Promise<void> => {
    const permission = codeOf(grant);
    const count = (await act.find(() => membersOf({ role, access })))?.data;
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

interface PlacedRoleProps extends RoleProps {
  /** The address of the page of a role, without the id. */
  readonly base: string;
}

function DeleteRole({ role, access, base }: PlacedRoleProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const goOn = useGoOn();
  const removeOnLeave = useRemoveOnLeave(roleKey(role.id));
  const remove = async (): Promise<void> => {
    const count = (await act.find(() => membersOf({ role, access })))?.data;
    const text = t('roles.delete_ask', { role: role.name, count });
    if (!(await ask({ title: t('roles.delete'), text, confirm: t('roles.delete') }))) return;
    const options = { params: { path: { id: role.id } }, headers: access.headers('role:delete') };
    if (!(await act.run(() => api.DELETE('/api/role/{id}', options), t('roles.deleted')))) return;
    await reloadRoles();
    removeOnLeave();
    await goOn(access.organizationId === undefined ? base : parentOf(base), { replace: true });
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

function OnDemand({ children }: { readonly children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  return <Suspense fallback={<Loader aria-label={t('page.loading')} />}>{children}</Suspense>;
}

function Members({ role, access }: RoleProps): ReactNode {
  if (role.organization_id === undefined) return <RoleMembers role={role} />;
  if (!access.may('organization_member:read')) return null;
  return (
    <OnDemand>
      <OrganizationRoleMembers role={role} access={access} />
    </OnDemand>
  );
}

/** The address without its last part. */
const parentOf = (path: string): string => path.replace(/\/[^/]+$/, '');

function Sections(props: PlacedRoleProps): ReactNode {
  const { t } = useTranslation();
  const { role, access, base } = props;
  const { may } = access;
  return (
    <>
      <Group>
        <Mark tone="plain">{role.scope}</Mark>
        {role.mfa_required && <Mark tone="plain">{t('roles.mfa_required')}</Mark>}
        {role.is_system && <Text c="dimmed">{t('roles.system_hint')}</Text>}
        {!role.is_system && may('role:delete') && <DeleteRole {...props} />}
      </Group>
      <Permissions role={role} access={access} />
      {!role.is_system && (
        <div className="columns">
          {may('role:update') && <RoleDetails key={role.id} role={role} access={access} />}
          <Members key={`members ${role.id}`} role={role} access={access} />
        </div>
      )}
      <div className="columns">
        <RoleComparison key={`compare ${role.id}`} role={role} access={access} />
        {may('role:create') && <RoleCopy key={`copy ${role.id}`} {...props} />}
      </div>
      {!role.is_system && may('group:read') && (
        <OnDemand>
          <RoleGroups key={role.id} roleId={role.id} access={access} base={`${parentOf(base)}/groups`} />
        </OnDemand>
      )}
    </>
  );
}

/** A role of the service, or of the organization that the address names. */
export function RolePage(): ReactNode {
  const { t } = useTranslation();
  const { id = '', organization } = useParams();
  const access = usePlaceAccess(organization);
  const base = parentOf(useLocation().pathname);
  const query = useQuery(roleOf(id, access));
  const back = organization !== undefined && (
    <Anchor component={Link} to={parentOf(base)} underline="always">
      {t('organizations.organization')}
    </Anchor>
  );
  return (
    <Page wide title={query.data?.name ?? t('nav.roles')} lead={query.data?.description ?? ''} actions={back}>
      <Loaded query={query}>{(role) => <Sections role={role} access={access} base={base} />}</Loaded>
    </Page>
  );
}
