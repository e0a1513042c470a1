import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { CreateRole } from '../roles/create-role';
import { RolesTable } from '../roles/roles-table';
import { Section } from '../components/section';
import type { Organization } from './organization-lists';
import { usePlaceAccess } from './use-place-access';

/** The roles of an organization, with links to their pages. */
export function OrganizationRoles({ organization }: { readonly organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const access = usePlaceAccess(organization.id);
  const base = `${useLocation().pathname}/roles`;
  const [page, setPage] = useState(1);
  return (
    <Section title={t('nav.roles')} lead={t('organizations.roles_lead')}>
      <RolesTable
        access={access}
        base={base}
        filter={{}}
        empty={t('organizations.no_roles')}
        page={page}
        onPage={setPage}
      />
      {access.may('role:create') && <CreateRole access={access} base={base} />}
    </Section>
  );
}
