import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { reloadRole, type RoleProps } from '../roles/role-lists';
import { api } from '../api';
import { MemberList } from '../components/member-list';

/** The members of an organization who have one of its roles. */
export function OrganizationRoleMembers({ role, access }: RoleProps): ReactNode {
  const { t } = useTranslation();
  const path = { id: role.id };
  const headers = access.headers('role:update');
  return (
    <MemberList
      title={t('roles.users')}
      lead={t('organizations.role_members_lead')}
      listKey={['role-members', role.id]}
      load={(cursor) => {
        const params = { path, query: { cursor } };
        const reading = access.headers('role:read', 'organization_member:read');
        return api.GET('/api/role/{id}/users', { params, headers: reading });
      }}
      editable={access.may('role:update')}
      add={(ids) => api.POST('/api/role/{id}/users', { params: { path }, body: { user_ids: ids }, headers })}
      remove={(id) => {
        const params = { path: { ...path, user_id: id } };
        return api.DELETE('/api/role/{id}/users/{user_id}', { params, headers });
      }}
      removal={(user) => ({
        title: t('roles.remove_member', { user }),
        text: t('roles.remove_member_ask', { user, role: role.name }),
      })}
      onChange={() => reloadRole(role)}
    />
  );
}
