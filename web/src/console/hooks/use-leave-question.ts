import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { asksNothing, hasSecret, hasUnsaved } from '../../session/unsaved';
import { ask } from '../components/ask';

/** Asks before a navigation inside the console that would lose unsaved input. */
export function useLeaveQuestion(): void {
  const { t } = useTranslation();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && hasUnsaved() && !asksNothing(nextLocation.state),
  );
  const { state } = blocker;
  useEffect(() => {
    if (state !== 'blocked') return;
    const question = hasSecret()
      ? { title: t('leave.secret_title'), text: t('leave.secret_text'), confirm: t('leave.secret_confirm') }
      : { title: t('leave.title'), text: t('leave.text'), confirm: t('leave.confirm') };
    void ask(question).then((leaves) => {
      if (leaves) blocker.proceed();
      else blocker.reset();
    });
  }, [state]);
}
