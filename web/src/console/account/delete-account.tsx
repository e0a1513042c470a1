import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useInfo } from '../info-context';
import { leaveBy } from '../leave';
import { useMe } from '../me';
import { ask } from '../parts/ask';
import { Section } from '../parts/section';
import { useAct } from '../parts/use-act';

/** Deletes the account, at once or after days of grace. */
export function DeleteAccount(): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const me = useMe();
  const count = useInfo().account.deletion_grace_days;
  const days = t('security.days', { count });
  const title = t('security.delete');
  const remove = async (): Promise<void> => {
    const text = count > 0 ? t('security.delete_ask_grace', { days }) : t('security.delete_ask');
    if (!(await ask({ title, text, confirm: title }))) return;
    let isLater = false;
    const hasEnded = async (): Promise<boolean> => {
      const answer = await act.run(() => api.DELETE('/api/auth/me'));
      isLater = answer?.data !== undefined;
      return answer !== undefined;
    };
    await leaveBy(hasEnded, () => (isLater ? '/login?deletion_due' : '/login?deleted'));
  };
  // The notice above the page offers to keep it.
  if (me.deletion_due_at !== null) return null;
  return (
    <Section title={title} lead={count > 0 ? t('security.delete_lead_grace', { days }) : t('security.delete_lead')}>
      <div>
        <Button variant="default" className="danger" loading={act.busy} onClick={() => void remove()}>
          {title}
        </Button>
      </div>
    </Section>
  );
}
