import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api, api } from '../api';
import { useInfo } from '../info-context';
import { useMay } from '../may';
import { FilterInput } from '../parts/filter-input';
import { Form } from '../parts/form';
import { Loaded } from '../parts/loaded';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { Pager } from '../parts/pager';
import { DataTable } from '../parts/table';
import { given, useFilters } from '../parts/use-filters';
import { useAct } from '../parts/use-act';
import { useGoOn } from '../parts/use-go-on';
import { reloadRoles, type Role } from './role-lists';

const PAGE = 20;

function CreateRole(): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const goOn = useGoOn();
  const info = useInfo();
  const [name, setName] = useState('');
  const [scope, setScope] = useState(info.scope);
  const create = async (): Promise<void> => {
    const answer = await act.run(() => api.POST('/api/role', { body: { name, scope } }), t('act.saved'));
    if (!answer?.data) return;
    await reloadRoles();
    await goOn(`/admin/roles/${answer.data.id}`);
  };
  return (
    <Form act={act} onSubmit={create}>
      <Group align="flex-end">
        <TextInput
          label={t('roles.new')}
          value={name}
          error={act.fields['name']}
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        <TextInput
          label={t('roles.scope')}
          w={110}
          value={scope}
          error={act.fields['scope']}
          onChange={(event) => {
            setScope(event.currentTarget.value);
          }}
        />
        <Button type="submit" variant="default" loading={act.busy} disabled={name === ''}>
          {t('act.add')}
        </Button>
      </Group>
    </Form>
  );
}

export function RolesPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [filters, setFilter] = useFilters(['keyword', 'page']);
  const page = Number(filters.page) || 1;
  const roles = $api.useQuery('get', '/api/role', {
    params: { query: { ...given({ keyword: filters.keyword }), page, page_size: PAGE } },
  });
  const columns = [
    {
      name: t('roles.name'),
      show: (role: Role) => (
        <Group gap="xs">
          <Anchor component={Link} to={`/admin/roles/${role.id}`} underline="always">
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
    <Page wide title={t('nav.roles')} lead={t('roles.lead')}>
      <FilterInput
        label={t('list.search')}
        type="search"
        value={filters.keyword}
        onSet={(keyword) => {
          setFilter('keyword', keyword);
        }}
      />
      <Loaded query={roles}>
        {({ items, total }) => (
          <Stack>
            <DataTable
              label={t('nav.roles')}
              columns={columns}
              rows={items}
              rowKey={({ id }) => id}
              empty={t('list.none')}
            />
            <Pager
              page={page}
              pages={Math.ceil(total / PAGE)}
              onGo={(to) => {
                setFilter('page', to === 1 ? '' : String(to));
              }}
            />
          </Stack>
        )}
      </Loaded>
      {may('role:create') && <CreateRole />}
    </Page>
  );
}
