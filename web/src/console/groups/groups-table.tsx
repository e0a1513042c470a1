import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api } from '../api';
import { ofOrganization, type PlaceAccess } from '../organizations/use-place-access';
import { PAGE, PagedTable } from '../components/paged-table';
import { pathOf, type Group } from './group-lists';

interface GroupsTableProps {
  readonly access: PlaceAccess;
  /** The address of the page of a group, without the id. */
  readonly base: string;
  readonly label: string;
  readonly filter: { readonly keyword?: string; readonly parent_id?: string; readonly role_id?: string };
  readonly empty: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** A page of the groups that match a filter. */
export function GroupsTable({ access, base, label, filter, empty, page, onPage }: GroupsTableProps): ReactNode {
  const { t } = useTranslation();
  const query = { ...filter, ...ofOrganization(access.organizationId), page, page_size: PAGE };
  const headers = access.headers('group:read');
  const groups = $api.useQuery('get', '/api/group', { params: { query }, headers });
  const columns = [
    {
      name: t('groups.name'),
      show: (group: Group) => (
        <Anchor component={Link} to={`${base}/${group.id}`} underline="always">
          {pathOf(group)}
        </Anchor>
      ),
    },
    { name: t('groups.description'), show: (group: Group) => group.description },
    { name: t('groups.members'), show: (group: Group) => group.member_count },
  ];
  return (
    <PagedTable
      query={groups}
      page={page}
      onPage={onPage}
      label={label}
      columns={columns}
      rowKey={({ id }) => id}
      empty={empty}
    />
  );
}
