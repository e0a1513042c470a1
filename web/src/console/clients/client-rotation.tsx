import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { SecretRotation } from '../components/secret-rotation';
import { useSubmit } from '../hooks/use-submit';
import type { Client } from './client';

interface ClientRotationProps {
  readonly client: Client;
  readonly headers: Record<string, string>;
}

export function ClientRotation({ client: { id }, headers }: ClientRotationProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const rotate = async (overlap_seconds: number): Promise<string | undefined> => {
    const options = { params: { path: { id } }, body: { overlap_seconds }, headers };
    const answer = await act.run(() => api.POST('/api/oauth/client/{id}/secret', options), t('clients.rotated'));
    return answer?.data?.client_secret;
  };
  return (
    <SecretRotation
      act={act}
      lead={t('clients.rotate_lead')}
      hint={t('clients.secret_once_hint')}
      question={(overlap) => t(`clients.rotate_ask_${overlap}`)}
      rotate={rotate}
    />
  );
}
