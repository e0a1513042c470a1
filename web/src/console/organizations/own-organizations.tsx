import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../parts/section';
import { OwnOrganizationLinks } from './own-organization-links';
import { ownOrganizations } from './own-organizations-query';

/** Links to the organisations of the user. Shows nothing to users without one. */
export function OwnOrganizations(): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(ownOrganizations);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title={t('nav.organizations')} lead={t('organizations.own_lead')}>
      <OwnOrganizationLinks organizations={data.items} />
    </Section>
  );
}
