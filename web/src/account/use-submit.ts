import { useTranslation } from 'react-i18next';
import { useSubmitIn, type Submit } from '../session/use-submit';
import { noticeSignedOut, useMe } from './me';
import { reloadIfStepIsDue } from './steps';
import { useNotify } from './toasts';

export type { Submit };

export function useSubmit(): Submit {
  const { t } = useTranslation();
  const me = useMe();
  return useSubmitIn({
    notify: useNotify(),
    onError: (error) => {
      noticeSignedOut(error);
      reloadIfStepIsDue(error);
    },
    prove: async (wanted) => {
      // Loaded on demand, because few changes need it.
      const { reauthenticate } = await import('./reauthenticate');
      return reauthenticate(me, t('reauthenticate.title'), wanted);
    },
  });
}
