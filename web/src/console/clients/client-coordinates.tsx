import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../components/copy-field';

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
