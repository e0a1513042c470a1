import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from './api';
import { leaveBy } from './leave';
import { useTell } from './parts/use-tell';

const UNAUTHENTICATED = 401;

/** Leaves for the login once the session is gone: until then its cookies would let anybody in here. */
export function LogOut(): ReactNode {
  const { t } = useTranslation();
  const tell = useTell();
  const [busy, setBusy] = useState(false);
  const logOut = async (): Promise<boolean> => {
    setBusy(true);
    try {
      const { error, response } = await api.POST('/api/auth/logout');
      const isOut = response.ok || response.status === UNAUTHENTICATED;
      if (!isOut) tell.failed(error);
      return isOut;
    } catch {
      tell.failed(undefined);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="default" size="xs" flex="none" loading={busy} onClick={() => void leaveBy(logOut, '/login')}>
      {t('act.log_out')}
    </Button>
  );
}
