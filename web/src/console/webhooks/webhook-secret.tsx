import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { SecretRotation } from '../components/secret-rotation';
import { useSubmit } from '../hooks/use-submit';
import type { Webhook } from './webhook-lists';

/** Replaces the secret. During the overlap, both secrets sign. */
export function WebhookSecret({ webhook: { id } }: { readonly webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const rotate = async (overlap_seconds: number): Promise<string | undefined> => {
    const options = { params: { path: { id } }, body: { overlap_seconds } };
    const answer = await act.run(() => api.POST('/api/webhook/{id}/secret', options), t('clients.rotated'));
    return answer?.data?.secret;
  };
  return (
    <SecretRotation
      act={act}
      lead={t('webhooks.secret_lead')}
      hint={t('webhooks.secret_once_hint')}
      question={(overlap) => t(overlap === 'none' ? 'webhooks.rotate_ask_none' : 'webhooks.rotate_ask')}
      rotate={rotate}
    />
  );
}
