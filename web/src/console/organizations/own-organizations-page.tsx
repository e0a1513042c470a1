import { Anchor, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api } from '../api';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';

/** The largest page. */
const MAX_SHOWN = 100;

/** The organizations that the user is a member of. */
export function OwnOrganizationsPage(): ReactNode {
  const { t } = useTranslation();
  const query = $api.useQuery('get', '/api/organization', { params: { query: { mine: true, page_size: MAX_SHOWN } } });
  return (
    <Page title={t('nav.organizations')} lead={t('organizations.own_lead')}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed">{t('organizations.none_own')}</Text>
          ) : (
            <Stack gap="xs">
              {items.map(({ id, name }) => (
                <Anchor key={id} component={Link} to={`/account/organizations/${id}`} underline="always">
                  {name}
                </Anchor>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Page>
  );
}
