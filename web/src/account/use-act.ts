import { useTranslation } from 'react-i18next';
import { useActIn, type Act } from '../user-session/use-act';
import { noticeSignedOut, useMe } from './me';
import { noticeStep } from './steps';
import { useNotify } from './toasts';

export type { Act };

export function useAct(): Act {
  const { t } = useTranslation();
  const me = useMe();
  return useActIn({
    notify: useNotify(),
    onError: (error) => {
      noticeSignedOut(error);
      noticeStep(error);
    },
    prove: async (wanted) => {
      // Loaded on demand, because few changes need it.
      const { reauthenticate } = await import('./reauthenticate');
      return reauthenticate(me, t('reauthenticate.title'), wanted);
    },
  });
}
