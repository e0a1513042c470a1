import { Button } from '@mantine/core';
import { LogOut as LogOutIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from './api';
import { leaveBy } from './leave';
import { useNotify } from './parts/use-notify';

const UNAUTHENTICATED = 401;

/** Goes to the login page only after the session has ended: until then its cookies still work. */
export function LogOut(): ReactNode {
  const { t } = useTranslation();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const logOut = async (): Promise<boolean> => {
    setBusy(true);
    try {
      const { error, response } = await api.POST('/api/auth/logout');
      const isOut = response.ok || response.status === UNAUTHENTICATED;
      if (!isOut) notify.requestError(error);
      return isOut;
    } catch {
      notify.requestError(undefined);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<LogOutIcon />}
      loading={busy}
      onClick={() => void leaveBy(logOut, '/login')}
    >
      {t('act.log_out')}
    </Button>
  );
}
