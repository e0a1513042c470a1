import { useTranslation } from 'react-i18next';
import { useSubmitIn, type Submit } from '../../session/use-submit';
import { useMe } from '../me';
import { noticeLockout } from '../query-client';
import { useNotify } from './use-notify';

export type { Submit };

export function useSubmit(): Submit {
  const { t } = useTranslation();
  const me = useMe();
  return useSubmitIn({
    notify: useNotify(),
    onError: noticeLockout,
    prove: async (wanted) => {
      // Loaded on demand, because few changes need it.
      const { reauthenticate } = await import('../components/reauthenticate');
      return reauthenticate(me, t('reauthenticate.title'), wanted);
    },
  });
}
