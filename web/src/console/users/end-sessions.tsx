import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, api } from '../api';
import { ask } from '../components/ask';
import { useSubmit } from '../hooks/use-submit';
import { queryClient } from '../query-client';

interface EndSessionsProps {
  readonly userId: string;
  readonly username: string;
}

/** Ends all sessions of a user. */
export default function EndSessions({ userId, username }: EndSessionsProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const params = { path: { id: userId } };
  const end = async (): Promise<void> => {
    const title = t('users.end_sessions');
    if (!(await ask({ title, text: t('users.end_sessions_ask', { user: username }), confirm: title }))) return;
    if (!(await act.run(() => api.DELETE('/api/user/{id}/sessions', { params }), t('sessions.ended')))) return;
    const { queryKey } = $api.queryOptions('get', '/api/user/{id}/sessions', { params });
    await queryClient.invalidateQueries({ queryKey });
  };
  return (
    <Button variant="default" loading={act.busy} onClick={() => void end()}>
      {t('users.end_sessions')}
    </Button>
  );
}
