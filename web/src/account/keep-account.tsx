import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client';
import { timeOf } from '../shared/time';
import { rememberMe, useMe } from './me';
import { Button } from './components/button';
import { useSubmit } from './use-submit';

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
    <section className="notice row" aria-label={t('security.delete')}>
      <span>{t('security.pending', { time: timeOf(dueAt) })}</span>
      <Button busy={act.busy} onClick={keep}>
        {t('security.keep')}
      </Button>
    </section>
  );
}
