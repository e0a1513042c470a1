import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { OwnOrganizationLinks } from './own-organization-links';
import { ownOrganizations } from './own-organizations-query';

export function OwnOrganizationsPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(ownOrganizations);
  return (
    <Page title={t('nav.organizations')} lead={t('organizations.own_lead')}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed">{t('organizations.none_own')}</Text>
          ) : (
            <OwnOrganizationLinks organizations={items} />
          )
        }
      </Loaded>
    </Page>
  );
}
