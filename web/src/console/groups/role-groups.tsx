import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaceAccess } from '../organizations/use-place-access';
import { Section } from '../components/section';
import { GroupsTable } from './groups-table';

interface RoleGroupsProps {
  readonly roleId: string;
  readonly access: PlaceAccess;
  /** The address of the page of a group, without the id. */
  readonly base: string;
}

/** The groups that have a role. Their members hold it, too. Loaded after the page, which is large without it. */
export default function RoleGroups({ roleId, access, base }: RoleGroupsProps): ReactNode {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  return (
    <Section title={t('nav.groups')} lead={t('groups.of_role_lead')}>
      <GroupsTable
        access={access}
        base={base}
        label={t('nav.groups')}
        filter={{ role_id: roleId }}
        empty={t('groups.none_of_role')}
        page={page}
        onPage={setPage}
      />
    </Section>
  );
}
