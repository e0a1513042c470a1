import { Anchor, Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api } from '../api';
import { useMay } from '../may';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Pager } from '../parts/pager';
import { DataTable } from '../parts/table';
import { timeOf } from '../parts/time';
import { useFilters } from '../parts/use-filters';
import type { Client } from './client';
import { ClientMarks } from './client-marks';

const PAGE = 20;

export function ClientsPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [filters, setFilter] = useFilters(['page']);
  const page = Number(filters.page) || 1;
  const clients = $api.useQuery('get', '/api/oauth/client', { params: { query: { page, page_size: PAGE } } });
  const columns = [
    {
      name: t('clients.client'),
      show: ({ id, name, client_id }: Client) => (
        <Stack gap={0}>
          <Anchor component={Link} to={`/admin/clients/${id}`} underline="always">
            {name}
          </Anchor>
          <Text size="sm" c="dimmed" className="wrap">
            {client_id}
          </Text>
        </Stack>
      ),
    },
    { name: t('clients.status'), show: (client: Client) => <ClientMarks client={client} /> },
    {
      name: t('clients.last_used'),
      show: ({ last_used_at }: Client) => (last_used_at === null ? t('clients.never') : timeOf(last_used_at)),
    },
  ];
  return (
    <Page
      wide
      title={t('nav.clients')}
      lead={t(may('oauth_client:read') ? 'clients.lead' : 'clients.lead_own')}
      actions={
        may('oauth_client:create') && (
          <Button component={Link} to="/admin/clients/new">
            {t('clients.add')}
          </Button>
        )
      }
    >
      <Loaded query={clients}>
        {({ items, total }) => (
          <Stack>
            <DataTable
              label={t('nav.clients')}
              columns={columns}
              rows={items}
              rowKey={({ id }) => id}
              empty={t('clients.none')}
            />
            <Pager
              page={page}
              pages={Math.ceil(total / PAGE)}
              onGo={(to) => {
                setFilter('page', to === 1 ? '' : String(to));
              }}
            />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
