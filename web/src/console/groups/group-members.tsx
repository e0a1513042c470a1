import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { MemberList } from '../components/member-list';
import { queryClient } from '../query-client';
import { groupKey, reloadGroups, type GroupProps } from './group-lists';

/** The members of a group. */
export function GroupMembers({ group, access }: GroupProps): ReactNode {
  const { t } = useTranslation();
  const path = { id: group.id };
  const headers = access.headers('group:update');
  return (
    <MemberList
      title={t('groups.members')}
      lead={t('groups.members_lead')}
      listKey={['group-members', group.id]}
      load={(cursor) => {
        const params = { path, query: { cursor } };
        const reading = access.headers('group:read', 'organization_member:read');
        return api.GET('/api/group/{id}/users', { params, headers: reading });
      }}
      editable={access.may('group:update')}
      add={(ids) => api.POST('/api/group/{id}/users', { params: { path }, body: { user_ids: ids }, headers })}
      remove={(id) => {
        const params = { path: { ...path, user_id: id } };
        return api.DELETE('/api/group/{id}/users/{user_id}', { params, headers });
      }}
      removal={(user) => ({
        title: t('groups.remove_member', { user }),
        text: t('groups.remove_member_ask', { user }),
      })}
      onChange={async () => {
        await queryClient.invalidateQueries({ queryKey: groupKey(group.id) });
        await reloadGroups();
      }}
    />
  );
}
