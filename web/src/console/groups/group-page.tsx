import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { $api, api } from '../api';
import { useMay } from '../may';
import { ask } from '../parts/ask';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Section } from '../parts/section';
import { useAct } from '../parts/use-act';
import { useRemoveOnLeave } from '../parts/use-remove-on-leave';
import { GroupDetails } from './group-details';
import { groupKey, pathOf, reloadGroups, type Group } from './group-lists';
import { GroupMembers } from './group-members';
import { GroupRoles } from './group-roles';
import { GroupsTable } from './groups-table';

function DeleteGroup({ group }: { readonly group: Group }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const go = useNavigate();
  const removeOnLeave = useRemoveOnLeave(groupKey(group.id));
  const remove = async (): Promise<void> => {
    const text = t('groups.delete_ask', { count: group.member_count });
    if (!(await ask({ title: t('groups.delete'), text, confirm: t('groups.delete') }))) return;
    const params = { path: { id: group.id } };
    if (!(await act.run(() => api.DELETE('/api/group/{id}', { params }), t('groups.deleted')))) return;
    await reloadGroups();
    removeOnLeave();
    await go('/admin/groups', { replace: true });
  };
  return (
    <div>
      <Button variant="default" className="danger" loading={act.busy} onClick={() => void remove()}>
        {t('groups.delete')}
      </Button>
    </div>
  );
}

function GroupsBelow({ group }: { readonly group: Group }): ReactNode {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  return (
    <Section title={t('groups.below')}>
      <GroupsTable
        label={t('groups.below')}
        filter={{ parent_id: group.id }}
        empty={t('groups.none_below')}
        page={page}
        onPage={setPage}
      />
    </Section>
  );
}

export function GroupPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { id = '' } = useParams();
  const query = $api.useQuery('get', '/api/group/{id}', { params: { path: { id } } });
  return (
    <Page title={query.data?.name ?? t('nav.groups')} lead={query.data ? pathOf(query.data) : ''}>
      <Loaded query={query}>
        {(group) => (
          <>
            {may('group:delete') && <DeleteGroup group={group} />}
            {may('group:update') && <GroupDetails key={group.id} group={group} />}
            <GroupRoles key={`roles-${group.id}`} group={group} />
            <GroupMembers key={`members-${group.id}`} group={group} />
            <GroupsBelow key={`below-${group.id}`} group={group} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
