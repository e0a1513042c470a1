import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ListSearch } from '../components/list-search';
import { Page } from '../components/page';
import { given } from '../hooks/use-filters';
import { useList } from '../hooks/use-list';
import { CreateGroup } from './create-group';
import { GroupsTable } from './groups-table';
import { usePlaceAccess } from '../organizations/use-place-access';

const BASE = '/admin/groups';

export function GroupsPage(): ReactNode {
  const { t } = useTranslation();
  const access = usePlaceAccess();
  const list = useList();
  return (
    <Page title={t('nav.groups')} lead={t('groups.lead')}>
      <ListSearch list={list} />
      <GroupsTable
        access={access}
        base={BASE}
        label={t('nav.groups')}
        filter={given({ keyword: list.keyword })}
        empty={t('list.none')}
        page={list.page}
        onPage={list.setPage}
      />
      {access.may('group:create') && <CreateGroup access={access} base={BASE} />}
    </Page>
  );
}
