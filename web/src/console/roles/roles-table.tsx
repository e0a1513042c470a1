import { Anchor, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api } from '../api';
import { ofOrganization, type PlaceAccess } from '../organizations/use-place-access';
import { Mark } from '../../session/mark';
import { PAGE, PagedTable } from '../components/paged-table';
import type { Role } from './role-lists';

interface RolesTableProps {
  readonly access: PlaceAccess;
  /** The address of the page of a role, without the id. */
  readonly base: string;
  readonly filter: { readonly keyword?: string };
  readonly empty: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** A page of the roles of the service or of an organization. */
export function RolesTable({ access, base, filter, empty, page, onPage }: RolesTableProps): ReactNode {
  const { t } = useTranslation();
  const query = { ...filter, ...ofOrganization(access.organizationId), page, page_size: PAGE };
  const roles = $api.useQuery('get', '/api/role', { params: { query }, headers: access.headers('role:read') });
  const columns = [
    {
      name: t('roles.name'),
      show: (role: Role) => (
        <Group gap="xs">
          <Anchor component={Link} to={`${base}/${role.id}`} underline="always">
            {role.name}
          </Anchor>
          {role.is_system && <Mark tone="plain">{t('roles.system')}</Mark>}
        </Group>
      ),
    },
    { name: t('roles.scope'), show: (role: Role) => role.scope },
    { name: t('roles.description'), show: (role: Role) => role.description },
    { name: t('roles.users'), show: (role: Role) => role.user_count },
  ];
  return (
    <PagedTable
      query={roles}
      page={page}
      onPage={onPage}
      label={t('nav.roles')}
      columns={columns}
      rowKey={({ id }) => id}
      empty={empty}
    />
  );
}
