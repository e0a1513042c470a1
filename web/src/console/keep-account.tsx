import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from './api';
import { useMe } from './me';
import { timeOf } from '../shared/time';
import { useSubmit } from './hooks/use-submit';
import { rememberMe } from './query-client';

/** Says when the account will be deleted, and offers to keep it. */
export function KeepAccount({ dueAt }: { readonly dueAt: string }): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const act = useSubmit();
  const keep = async (): Promise<void> => {
    const answer = await act.run(() => api.POST('/api/auth/me/deletion/cancel'), t('security.kept'));
    if (answer) rememberMe({ ...me, deletion_due_at: null });
  };
  return (
    <Alert color="yellow.9" variant="outline" mb="md" maw={1200}>
      <Group justify="space-between">
        {t('security.pending', { time: timeOf(dueAt) })}
        <Button loading={act.busy} onClick={() => void keep()}>
          {t('security.keep')}
        </Button>
      </Group>
    </Alert>
  );
}
