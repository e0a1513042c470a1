import { useTranslation } from 'react-i18next';
import { useActIn, type Act } from '../../user-session/use-act';
import { useMe } from '../me';
import { noticeLockout } from '../query-client';
import { useNotify } from './use-notify';

export type { Act };

export function useAct(): Act {
  const { t } = useTranslation();
  const me = useMe();
  return useActIn({
    notify: useNotify(),
    onError: noticeLockout,
    prove: async (wanted) => {
      // Loaded on demand, because few changes need it.
      const { reauthenticate } = await import('../components/reauthenticate');
      return reauthenticate(me, t('reauthenticate.title'), wanted);
    },
  });
}
