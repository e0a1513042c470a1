import { Group, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../use-permission';
import { FilterInput } from '../components/filter-input';
import { FilterSelect } from '../components/filter-select';
import { oneOf } from '../hooks/use-filters';
import { AttributeFilter } from './attribute-filter';
import type { AdminUser } from './admin-user';
import { useAllRoles } from '../roles/role-lists';
import { sorts, type UserOrder } from './user-columns';

const statuses = ['active', 'disabled'] as const satisfies AdminUser['status'][];

/** `locked` is not a status of the service: an active account may be locked. */
export const states = [...statuses, 'locked'] as const;

export const factorChoices = ['true', 'false'] as const;

type FilterName = 'keyword' | 'status' | 'role_id' | 'has_second_factor' | 'attribute';

interface UserFiltersProps {
  readonly filters: Readonly<Record<FilterName, string>>;
  readonly onSet: (name: FilterName, value: string) => void;
  readonly order: UserOrder;
  /** Of the filter by an attribute. */
  readonly error: string | undefined;
}

function RoleFilter({ value, onSet }: { readonly value: string; readonly onSet: (id: string) => void }): ReactNode {
  const { t } = useTranslation();
  const roles = useAllRoles();
  return <FilterSelect label={t('users.role')} value={value} choices={roles} onSet={onSet} />;
}

/** Replaces the heads of the columns, which a phone does not show. */
function SortChoice({ sort, onSort }: UserOrder): ReactNode {
  const { t } = useTranslation();
  return (
    <NativeSelect
      className="phone-only"
      label={t('users.order')}
      value={sort || '-created_at'}
      data={sorts.map((value) => ({ value, label: t(`users.sort_${value.replace('-', 'down_')}`) }))}
      onChange={(event) => {
        onSort(oneOf(sorts, event.currentTarget.value));
      }}
    />
  );
}

/** The search, the filters and, on a phone, the order of the list of users. */
export function UserFilters({ filters, onSet, order, error }: UserFiltersProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  return (
    <Group align="flex-end">
      <FilterInput
        flex={1}
        miw={240}
        label={t('users.keyword')}
        description={t('users.keyword_hint')}
        type="search"
        value={filters.keyword}
        onSet={(keyword) => {
          onSet('keyword', keyword);
        }}
      />
      <FilterSelect
        label={t('users.status')}
        value={filters.status}
        choices={states.map((value) => ({ value, label: t(`users.status_${value}`) }))}
        onSet={(status) => {
          onSet('status', status);
        }}
      />
      {may('role:read') && (
        <RoleFilter
          value={filters.role_id}
          onSet={(id) => {
            onSet('role_id', id);
          }}
        />
      )}
      <FilterSelect
        label={t('users.second_factor')}
        value={filters.has_second_factor}
        choices={factorChoices.map((value) => ({ value, label: t(`users.factor_${value}`) }))}
        onSet={(value) => {
          onSet('has_second_factor', value);
        }}
      />
      <AttributeFilter
        filter={filters.attribute}
        error={error}
        onSet={(filter) => {
          onSet('attribute', filter);
        }}
      />
      {!order.isFixed && <SortChoice {...order} />}
    </Group>
  );
}
