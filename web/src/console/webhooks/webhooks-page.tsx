import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api } from '../api';
import { useEventTitle } from '../events/use-event-title';
import { useMay } from '../use-permission';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { DataTable } from '../components/table';
import { timeOf } from '../../shared/time';
import type { Webhook } from './webhook-lists';
import { WebhookMarks } from './webhook-marks';

/** Types that a row names before it counts the rest. */
const NAMED = 2;

const timeOrDash = (time: string | null): string => (time === null ? '–' : timeOf(time));

function Types({ webhook: { types } }: { readonly webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  const titleOf = useEventTitle();
  if (types.length === 0) return t('webhooks.all_types');
  const rest = types.length - NAMED;
  return (
    <Stack gap={2}>
      {types.slice(0, NAMED).map((type) => (
        <span key={type}>{titleOf(type)}</span>
      ))}
      {rest > 0 && <Text size="sm">{t('webhooks.more_types', { count: rest })}</Text>}
    </Stack>
  );
}

export function WebhooksPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const webhooks = $api.useQuery('get', '/api/webhook');
  const columns = [
    {
      name: t('webhooks.webhook'),
      show: ({ id, name, url }: Webhook) => (
        <Stack gap={0}>
          <Anchor component={Link} to={`/admin/webhooks/${id}`} underline="always">
            {name}
          </Anchor>
          <Text size="sm" c="dimmed" className="wrap">
            {url}
          </Text>
        </Stack>
      ),
    },
    { name: t('webhooks.types'), show: (webhook: Webhook) => <Types webhook={webhook} /> },
    { name: t('clients.status'), show: (webhook: Webhook) => <WebhookMarks webhook={webhook} /> },
    { name: t('webhooks.failing_since'), show: ({ failing_since }: Webhook) => timeOrDash(failing_since) },
    { name: t('webhooks.last_success'), show: ({ last_success_at }: Webhook) => timeOrDash(last_success_at) },
  ];
  return (
    <Page
      wide
      title={t('nav.webhooks')}
      lead={t('webhooks.lead')}
      actions={
        may('webhook:create') &&
        may('event:read') && (
          <Button component={Link} to="/admin/webhooks/new" leftSection={<Plus />}>
            {t('webhooks.add')}
          </Button>
        )
      }
    >
      <Loaded query={webhooks}>
        {({ items }) => (
          <DataTable
            label={t('nav.webhooks')}
            columns={columns}
            rows={items}
            rowKey={({ id }) => id}
            minWidth={860}
            empty={t('webhooks.none')}
          />
        )}
      </Loaded>
    </Page>
  );
}
