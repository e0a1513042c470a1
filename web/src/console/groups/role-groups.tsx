import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../parts/section';
import { GroupsTable } from './groups-table';
import { useGroupAccess } from './use-group-access';

/** The groups that have a role. Their members hold it, too. Loaded after the page, which is large without it. */
export default function RoleGroups({ roleId }: { readonly roleId: string }): ReactNode {
  const { t } = useTranslation();
  const access = useGroupAccess();
  const [page, setPage] = useState(1);
  return (
    <Section title={t('nav.groups')} lead={t('groups.of_role_lead')}>
      <GroupsTable
        access={access}
        base="/admin/groups"
        label={t('nav.groups')}
        filter={{ role_id: roleId }}
        empty={t('groups.none_of_role')}
        page={page}
        onPage={setPage}
      />
    </Section>
  );
}
