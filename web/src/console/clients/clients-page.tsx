import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api } from '../api';
import { useMay } from '../use-permission';
import { Page } from '../components/page';
import { PagedTable } from '../components/paged-table';
import { timeOf } from '../../shared/time';
import { useList } from '../hooks/use-list';
import type { Client } from './client';
import { ClientMarks } from './client-marks';

export function ClientsPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { page, setPage, query } = useList();
  const { page_size } = query;
  const clients = $api.useQuery('get', '/api/oauth/client', { params: { query: { page, page_size } } });
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
          <Button component={Link} to="/admin/clients/new" leftSection={<Plus />}>
            {t('clients.add')}
          </Button>
        )
      }
    >
      <PagedTable
        query={clients}
        page={page}
        onPage={setPage}
        label={t('nav.clients')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={t('clients.none')}
      />
    </Page>
  );
}
