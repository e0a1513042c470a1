import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Mark } from '../../session/mark';
import type { Client } from './client';

export function ClientMarks({ client }: { readonly client: Client }): ReactNode {
  const { t } = useTranslation();
  const disabled = t(client.disabled_by_service ? 'clients.disabled_by_service' : 'clients.disabled');
  return (
    <Group gap="xs">
      <Mark tone={client.enabled ? 'good' : 'bad'}>{client.enabled ? t('clients.enabled') : disabled}</Mark>
      {client.suspended && <Mark tone="bad">{t('clients.suspended')}</Mark>}
      <Mark tone="plain">{t(client.is_public ? 'clients.public' : 'clients.confidential')}</Mark>
      {client.first_party && <Mark tone="plain">{t('clients.first_party_mark')}</Mark>}
    </Group>
  );
}
