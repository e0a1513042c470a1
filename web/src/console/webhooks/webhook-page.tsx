import { Loader } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { $api } from '../api';
import { useMay } from '../use-permission';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { WebhookDetails } from './webhook-details';
import type { Webhook } from './webhook-lists';
import { WebhookState } from './webhook-state';

const WebhookReplay = lazy(async () => ({ default: (await import('./webhook-replay')).WebhookReplay }));
const WebhookSecret = lazy(async () => ({ default: (await import('./webhook-secret')).WebhookSecret }));
const WebhookTest = lazy(async () => ({ default: (await import('./webhook-test')).WebhookTest }));
const WebhookDeliveries = lazy(async () => ({ default: (await import('./webhook-deliveries')).WebhookDeliveries }));

function Whole({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const canRead = may('event:read');
  const canChange = may('webhook:update');
  return (
    <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
      <WebhookState webhook={webhook} />
      {canChange && (
        <div className="columns">
          <WebhookTest webhook={webhook} />
          {canRead && <WebhookReplay webhook={webhook} />}
        </div>
      )}
      {canRead && <WebhookDeliveries webhook={webhook} />}
      <WebhookDetails webhook={webhook} />
      {canChange && canRead && webhook.format !== 'caep' && <WebhookSecret webhook={webhook} />}
    </Suspense>
  );
}

export function WebhookPage(): ReactNode {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const query = $api.useQuery('get', '/api/webhook/{id}', { params: { path: { id } } });
  return (
    <Page wide title={query.data?.name ?? t('nav.webhooks')} lead={query.data?.url ?? ''}>
      <Loaded query={query}>{(webhook) => <Whole key={webhook.id} webhook={webhook} />}</Loaded>
    </Page>
  );
}
