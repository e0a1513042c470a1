import { Button, Group as Row, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api } from '../api';
import { useMay } from '../may';
import { FilterInput } from '../parts/filter-input';
import { Form } from '../parts/form';
import { Page } from '../parts/page';
import { useAct } from '../parts/use-act';
import { given, useFilters } from '../parts/use-filters';
import { reloadGroups } from './group-lists';
import { GroupsTable } from './groups-table';

function CreateGroup(): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const go = useNavigate();
  const [name, setName] = useState('');
  const create = async (): Promise<void> => {
    const answer = await act.run(() => api.POST('/api/group', { body: { name } }), t('act.saved'));
    if (!answer?.data) return;
    await reloadGroups();
    await go(`/admin/groups/${answer.data.id}`);
  };
  return (
    <Form act={act} onSubmit={create}>
      <Row align="flex-end">
        <TextInput
          label={t('groups.new')}
          value={name}
          error={act.fields['name']}
          autoComplete="off"
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        <Button type="submit" variant="default" loading={act.busy} disabled={name === ''}>
          {t('act.add')}
        </Button>
      </Row>
    </Form>
  );
}

export function GroupsPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
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
        label={t('nav.groups')}
        filter={given({ keyword: filters.keyword })}
        empty={t('list.none')}
        page={Number(filters.page) || 1}
        onPage={(to) => {
          setFilter('page', to === 1 ? '' : String(to));
        }}
      />
      {may('group:create') && <CreateGroup />}
    </Page>
  );
}
