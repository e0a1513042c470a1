import { Button, Checkbox, Group, Loader, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus, Upload } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { fieldErrors, isProblem } from '../../api/problem';
import type { components, paths } from '../../api/schema';
import { api } from '../api';
import { Page } from '../components/page';
import { PAGE, PagedTable } from '../components/paged-table';
import { numberOf } from '../../session/time';
import { given, oneOf, useFilters } from '../hooks/use-filters';
import { isWhole, useFilteredAttribute } from './attribute-filter';
import { usersKey, type AdminUser } from './admin-user';
import { ExportUsers } from './export-users';
import { MAX_CHOSEN, useUserSelection, type UserSelection } from './use-user-selection';
import { sorts, useUserColumns } from './user-columns';
import { factorChoices, states, UserFilters } from './user-filters';

const UserSelectionBar = lazy(() => import('./user-selection'));

type UserList = components['schemas']['AdminUserPageDto'];
type Query = NonNullable<paths['/api/user']['get']['parameters']['query']>;

const filterNames = [
  'keyword',
  'status',
  'role_id',
  'has_second_factor',
  'attribute',
  'sort',
  'page',
] as const satisfies (keyof Query)[];

async function load(query: Query): Promise<UserList> {
  const { data, error } = await api.GET('/api/user', { params: { query } });
  if (!data) throw error as unknown;
  return data as UserList;
}

interface HeadProps {
  readonly list: UserList | undefined;
  readonly selection: UserSelection;
}

/** The total, and a box that selects all rows of the page. */
function ListHead({ list, selection: { chosen, toggle } }: HeadProps): ReactNode {
  const { t } = useTranslation();
  if (!list || list.items.length === 0) return null;
  const { items, total, total_is_estimate = false } = list;
  const selected = items.filter(({ id }) => chosen.has(id)).length;
  return (
    <Group justify="space-between">
      <Checkbox
        label={t('users.select_page')}
        checked={selected === items.length}
        indeterminate={selected > 0 && selected < items.length}
        onChange={() => {
          toggle(items);
        }}
      />
      <Text size="sm" c="dimmed" role="status">
        {t(total_is_estimate ? 'users.about_total' : 'users.total', { count: total, total: numberOf(total) })}
        {chosen.size >= MAX_CHOSEN && ` · ${t('users.selection_full', { most: MAX_CHOSEN })}`}
      </Text>
    </Group>
  );
}

export function UsersPage(): ReactNode {
  const { t } = useTranslation();
  const [filters, setFilter] = useFilters(filterNames);
  const factor = oneOf(factorChoices, filters.has_second_factor);
  const state = oneOf(states, filters.status);
  const filter = given({
    keyword: filters.keyword,
    ...given(state === 'locked' ? { locked: true } : { status: state }),
    role_id: filters.role_id,
    has_second_factor: factor && factor === 'true',
    attribute: isWhole(filters.attribute) ? filters.attribute : '',
  });
  const isFixed = filters.keyword !== '';
  const sort = isFixed ? '' : oneOf(sorts, filters.sort);
  const page = Number(filters.page) || 1;
  const query = { ...filter, ...given({ sort }), page, page_size: PAGE, details: true };
  const users = useQuery({
    queryKey: [...usersKey, query],
    queryFn: () => load(query),
    placeholderData: keepPreviousData,
  });
  const selection = useUserSelection(JSON.stringify(filter));
  const onSort = (next: string): void => {
    setFilter('sort', next === '-created_at' ? '' : next);
  };
  const order = { sort, onSort, isFixed };
  const attribute = useFilteredAttribute(filters.attribute);
  const columns = useUserColumns(order, selection, attribute);
  const error = isProblem(users.error) ? fieldErrors(users.error)['attribute'] : undefined;
  return (
    <Page
      wide
      title={t('nav.users')}
      actions={
        <Group gap="xs">
          <ExportUsers query={filter} label={t('users.export')} />
          <Button component={Link} to="/admin/users/import" variant="default" leftSection={<Upload />}>
            {t('users.import')}
          </Button>
          <Button component={Link} to="/admin/users/new" leftSection={<Plus />}>
            {t('users.create')}
          </Button>
        </Group>
      }
    >
      <UserFilters filters={filters} onSet={setFilter} order={order} error={error} />
      {selection.chosen.size > 0 && (
        <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
          <UserSelectionBar selection={selection} />
        </Suspense>
      )}
      <ListHead list={users.data} selection={selection} />
      <PagedTable
        query={users}
        page={page}
        onPage={(to) => {
          setFilter('page', to === 1 ? '' : String(to));
        }}
        label={t('nav.users')}
        columns={columns}
        rowKey={({ id }: AdminUser) => id}
        empty={t('users.none')}
        minWidth={960}
      />
    </Page>
  );
}
