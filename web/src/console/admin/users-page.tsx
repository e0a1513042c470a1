import { Anchor, Button, Group, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components, paths } from '../../api/schema';
import { api } from '../api';
import { useMay } from '../may';
import { FilterInput } from '../parts/filter-input';
import { Loaded } from '../parts/loaded';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { DataTable } from '../parts/table';
import { timeOf } from '../parts/time';
import { given, oneOf, useFilters } from '../parts/use-filters';
import { useCursorPages } from '../parts/use-cursor-pages';
import { useAllRoles } from './role-lists';

export type AdminUser = components['schemas']['AdminUserDto'];
type CursorPage = components['schemas']['AdminUserCursorPageDto'];

type Query = NonNullable<paths['/api/user']['get']['parameters']['query']>;

const statuses = ['active', 'disabled'] as const satisfies AdminUser['status'][];
const filterNames = ['keyword', 'status', 'role_id'] as const satisfies (keyof Query)[];

function UserTable({
  users,
  more,
}: {
  readonly users: readonly AdminUser[];
  readonly more: Parameters<typeof DataTable>[0]['more'];
}): ReactNode {
  const { t } = useTranslation();
  const columns = [
    {
      name: t('users.username'),
      show: (user: AdminUser) => (
        <Anchor component={Link} to={`/admin/users/${user.id}`} underline="always">
          {user.username}
        </Anchor>
      ),
    },
    { name: t('field.nickname'), show: (user: AdminUser) => user.nickname },
    { name: t('field.email'), show: (user: AdminUser) => user.email ?? '' },
    {
      name: t('users.status'),
      show: (user: AdminUser) => (
        <Mark tone={user.status === 'active' ? 'good' : 'bad'}>{t(`users.status_${user.status}`)}</Mark>
      ),
    },
    { name: t('users.last_login'), show: (user: AdminUser) => (user.last_login_at ? timeOf(user.last_login_at) : '') },
  ];
  return (
    <DataTable
      label={t('nav.users')}
      columns={columns}
      rows={users}
      rowKey={(user) => user.id}
      empty={t('users.none')}
      more={more}
    />
  );
}

function RoleFilter({ value, onSet }: { readonly value: string; readonly onSet: (id: string) => void }): ReactNode {
  const { t } = useTranslation();
  const roles = useAllRoles();
  return (
    <NativeSelect
      label={t('users.role')}
      value={value}
      data={[{ value: '', label: t('list.all') }, ...roles]}
      onChange={(event) => {
        onSet(event.currentTarget.value);
      }}
    />
  );
}

export function UsersPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [filters, setFilter] = useFilters(filterNames);
  const query = given({
    role_id: filters.role_id,
    status: oneOf(statuses, filters.status),
    keyword: filters.keyword,
  });
  const users = useCursorPages<AdminUser>(['users', query], async (cursor) => {
    const { data, error } = await api.GET('/api/user', { params: { query: { ...query, cursor } } });
    return { data: data as CursorPage, error };
  });
  return (
    <Page
      wide
      title={t('nav.users')}
      actions={
        <Button component={Link} to="/admin/users/new">
          {t('users.create')}
        </Button>
      }
    >
      <Group align="flex-end">
        <FilterInput
          flex={1}
          miw={240}
          label={t('users.keyword')}
          description={t('users.keyword_hint')}
          type="search"
          value={filters.keyword}
          onSet={(keyword) => {
            setFilter('keyword', keyword);
          }}
        />
        <NativeSelect
          label={t('users.status')}
          value={filters.status}
          data={[
            { value: '', label: t('list.all') },
            ...statuses.map((status) => ({ value: status, label: t(`users.status_${status}`) })),
          ]}
          onChange={(event) => {
            setFilter('status', event.currentTarget.value);
          }}
        />
        {may('role:read') && (
          <RoleFilter
            value={filters.role_id}
            onSet={(id) => {
              setFilter('role_id', id);
            }}
          />
        )}
      </Group>
      <Loaded query={users}>{(rows) => <UserTable users={rows} more={users.more} />}</Loaded>
    </Page>
  );
}
