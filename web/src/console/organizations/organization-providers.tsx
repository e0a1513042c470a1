import { Anchor, Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api } from '../api';
import { useHoldsEverything } from '../use-permission';
import { Loaded } from '../components/loaded';
import { Section } from '../components/section';
import type { Organization } from './organization-lists';

/** The login providers of the organization. Only users who hold every permission may add one. */
export function OrganizationProviders({ organization }: { readonly organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const adds = useHoldsEverything();
  const providers = $api.useQuery('get', '/api/oauth/provider');
  return (
    <Section title={t('organizations.providers')} lead={t('organizations.providers_lead')}>
      <Loaded query={providers}>
        {({ items }) => {
          const own = items.filter(({ organization_id }) => organization_id === organization.id);
          return (
            <Stack gap="xs">
              {own.length === 0 && <Text c="dimmed">{t('organizations.no_providers')}</Text>}
              {own.map(({ id, label }) => (
                <Anchor key={id} component={Link} to={`/admin/providers/${id}`}>
                  {label}
                </Anchor>
              ))}
            </Stack>
          );
        }}
      </Loaded>
      {adds && (
        <div>
          <Button
            component={Link}
            to={`/admin/providers/new?template=oidc&organization=${organization.id}`}
            variant="default"
          >
            {t('organizations.add_provider')}
          </Button>
        </div>
      )}
    </Section>
  );
}
