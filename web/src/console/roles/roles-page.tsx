import { Anchor, Button, Group, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api, api } from '../api';
import { useInfo } from '../info-context';
import { useMay } from '../may';
import { Form } from '../parts/form';
import { ListSearch } from '../parts/list-search';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { PagedTable } from '../parts/paged-table';
import { useAct } from '../parts/use-act';
import { useGoOn } from '../parts/use-go-on';
import { useList } from '../parts/use-list';
import { reloadRoles, type Role } from './role-lists';

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
  const list = useList();
  const roles = $api.useQuery('get', '/api/role', { params: { query: list.query } });
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
      <ListSearch list={list} />
      <PagedTable
        query={roles}
        page={list.page}
        onPage={list.setPage}
        label={t('nav.roles')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={t('list.none')}
      />
      {may('role:create') && <CreateRole />}
    </Page>
  );
}
