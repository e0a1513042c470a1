import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlaceAccess } from '../organizations/use-place-access';
import { ListSearch } from '../components/list-search';
import { Page } from '../components/page';
import { given } from '../hooks/use-filters';
import { useList } from '../hooks/use-list';
import { CreateRole } from './create-role';
import { RolesTable } from './roles-table';

const BASE = '/admin/roles';

export function RolesPage(): ReactNode {
  const { t } = useTranslation();
  const access = usePlaceAccess();
  const list = useList();
  return (
    <Page wide title={t('nav.roles')} lead={t('roles.lead')}>
      <ListSearch list={list} />
      <RolesTable
        access={access}
        base={BASE}
        filter={given({ keyword: list.keyword })}
        empty={t('list.none')}
        page={list.page}
        onPage={list.setPage}
      />
      {access.may('role:create') && <CreateRole access={access} base={BASE} />}
    </Page>
  );
}
