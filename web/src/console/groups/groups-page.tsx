import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterInput } from '../parts/filter-input';
import { Page } from '../parts/page';
import { given, useFilters } from '../parts/use-filters';
import { CreateGroup } from './create-group';
import { GroupsTable } from './groups-table';
import { useGroupAccess } from './use-group-access';

const BASE = '/admin/groups';

export function GroupsPage(): ReactNode {
  const { t } = useTranslation();
  const access = useGroupAccess();
  const [filters, setFilter] = useFilters(['keyword', 'page']);
  return (
    <Page title={t('nav.groups')} lead={t('groups.lead')}>
      <FilterInput
        label={t('list.search')}
        type="search"
        value={filters.keyword}
        onSet={(keyword) => {
          setFilter('keyword', keyword);
        }}
      />
      <GroupsTable
        access={access}
        base={BASE}
        label={t('nav.groups')}
        filter={given({ keyword: filters.keyword })}
        empty={t('list.none')}
        page={Number(filters.page) || 1}
        onPage={(to) => {
          setFilter('page', to === 1 ? '' : String(to));
        }}
      />
      {access.may('group:create') && <CreateGroup access={access} base={BASE} />}
    </Page>
  );
}
