import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../parts/copy-field';

/** Shows a new secret. It cannot be shown again. */
export function ShownSecret({ secret }: { readonly secret: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert color="yellow.9" variant="outline" role="status">
      <Stack>
        <div>
          <Text fw={600}>{t('clients.secret_once')}</Text>
          <Text>{t('clients.secret_once_hint')}</Text>
        </div>
        <CopyField label={t('clients.secret')} value={secret} />
      </Stack>
    </Alert>
  );
}

/** Issuer and client id: an application's library discovers everything else. */
export function Coordinates({ clientId }: { readonly clientId: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <CopyField label={t('clients.client_id')} value={clientId} />
      <CopyField
        label={t('clients.discovery')}
        description={t('clients.discovery_hint')}
        value={`${location.origin}/.well-known/openid-configuration`}
      />
    </>
  );
}
