import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { leaveBy } from '../../session/leave';
import { ask } from '../dialogs';
import { info } from '../info';
import { useMe } from '../me';
import { useSubmit } from '../use-submit';
import { Button } from './button';
import { Section } from './section';

/** Deletes the account, at once or after days of grace. */
export function DeleteAccount(): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const me = useMe();
  const count = info.account.deletion_grace_days;
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
      <Button className="secondary danger" busy={act.busy} onClick={remove}>
        {title}
      </Button>
    </Section>
  );
}
