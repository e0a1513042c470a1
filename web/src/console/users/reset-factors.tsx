import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { ask } from '../components/ask';
import { useSubmit } from '../hooks/use-submit';
import { queryClient } from '../query-client';

interface ResetFactorsProps {
  readonly userId: string;
  readonly username: string;
}

/** Removes all second factors of a user who lost them, which also ends the sessions. */
export function ResetFactors({ userId, username }: ResetFactorsProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const reset = async (): Promise<void> => {
    const title = t('users.reset_mfa');
    if (!(await ask({ title, text: t('users.reset_mfa_ask', { user: username }), confirm: title }))) return;
    const params = { path: { id: userId } };
    await act.run(() => api.DELETE('/api/user/{id}/mfa', { params }), t('users.mfa_reset'));
    await queryClient.invalidateQueries({ queryKey: ['get', '/api/user/{id}/sessions'] });
    await queryClient.invalidateQueries({ queryKey: ['get', '/api/user/{id}/mfa'] });
  };
  return (
    <Button variant="default" loading={act.busy} onClick={() => void reset()}>
      {t('users.reset_mfa')}
    </Button>
  );
}
