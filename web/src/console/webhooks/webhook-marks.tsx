import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Mark } from '../../session/mark';
import type { Webhook } from './webhook-lists';

export function WebhookMarks({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  const { enabled, suspended, failing_since } = webhook;
  return (
    <Group gap="xs">
      <Mark tone={enabled ? 'good' : 'bad'}>{t(enabled ? 'clients.enabled' : 'clients.disabled')}</Mark>
      {suspended && <Mark tone="bad">{t('webhooks.waits')}</Mark>}
      {failing_since !== null && <Mark tone="bad">{t('webhooks.failing')}</Mark>}
    </Group>
  );
}
