import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { CreateGroup } from '../groups/create-group';
import { GroupsTable } from '../groups/groups-table';
import { usePlaceAccess } from './use-place-access';
import { Section } from '../components/section';
import type { Organization } from './organization-lists';

/** The groups of an organization, with links to their pages. */
export function OrganizationGroups({ organization }: { readonly organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const access = usePlaceAccess(organization.id);
  const base = `${useLocation().pathname}/groups`;
  const [page, setPage] = useState(1);
  return (
    <Section title={t('nav.groups')} lead={t('organizations.groups_lead')}>
      <GroupsTable
        access={access}
        base={base}
        label={t('nav.groups')}
        filter={{}}
        empty={t('organizations.no_groups')}
        page={page}
        onPage={setPage}
      />
      {access.may('group:create') && <CreateGroup access={access} base={base} />}
    </Section>
  );
}
