import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { $api } from '../api';
import { useMay } from '../may';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { WebhookDeliveries } from './webhook-deliveries';
import { WebhookDetails } from './webhook-details';
import type { Webhook } from './webhook-lists';
import { WebhookReplay } from './webhook-replay';
import { WebhookSecret } from './webhook-secret';
import { WebhookState } from './webhook-state';
import { WebhookTest } from './webhook-test';

function Whole({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const may = useMay();
  const canRead = may('event:read');
  const canChange = may('webhook:update');
  return (
    <>
      <WebhookState webhook={webhook} />
      {canChange && <WebhookTest webhook={webhook} />}
      {canRead && <WebhookDeliveries webhook={webhook} />}
      {canChange && canRead && <WebhookReplay webhook={webhook} />}
      <WebhookDetails webhook={webhook} />
      {canChange && canRead && webhook.format !== 'caep' && <WebhookSecret webhook={webhook} />}
    </>
  );
}

export function WebhookPage(): ReactNode {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const query = $api.useQuery('get', '/api/webhook/{id}', { params: { path: { id } } });
  return (
    <Page title={query.data?.name ?? t('nav.webhooks')} lead={query.data?.url ?? ''}>
      <Loaded query={query}>{(webhook) => <Whole key={webhook.id} webhook={webhook} />}</Loaded>
    </Page>
  );
}
