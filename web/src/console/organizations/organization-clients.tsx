import { Anchor, Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import type { Client } from '../clients/client';
import { $api } from '../api';
import { useMay } from '../use-permission';
import { PAGE, PagedTable } from '../components/paged-table';
import { Section } from '../components/section';
import { timeOf } from '../../shared/time';
import type { Organization } from './organization-lists';

interface OrganizationClientsProps {
  readonly organization: Organization;
  readonly registers: boolean;
}

/** The applications of an organization, with links to their pages. */
export function OrganizationClients({ organization, registers }: OrganizationClientsProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const base = `${useLocation().pathname}/clients`;
  const [page, setPage] = useState(1);
  const clients = $api.useQuery('get', '/api/oauth/client', {
    params: { query: { organization_id: organization.id, page, page_size: PAGE } },
    headers: may('oauth_client:read') ? {} : { 'X-Organization-Id': organization.id },
  });
  const columns = [
    {
      name: t('clients.client'),
      show: ({ id, name }: Client) => (
        <Anchor component={Link} to={`${base}/${id}`} underline="always">
          {name}
        </Anchor>
      ),
    },
    {
      name: t('clients.last_used'),
      show: ({ last_used_at }: Client) => (last_used_at === null ? t('clients.never') : timeOf(last_used_at)),
    },
  ];
  return (
    <Section title={t('nav.clients')} lead={t('organizations.clients_lead')}>
      <PagedTable
        query={clients}
        page={page}
        onPage={setPage}
        label={t('nav.clients')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={t('list.none')}
      />
      {registers && (
        <div>
          <Button component={Link} to={`${base}/new`} variant="default">
            {t('clients.add')}
          </Button>
        </div>
      )}
    </Section>
  );
}
