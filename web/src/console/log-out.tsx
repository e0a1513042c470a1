import { Button } from '@mantine/core';
import { LogOut as LogOutIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLogOut } from '../session/use-log-out';
import { useNotify } from './hooks/use-notify';

export function LogOut(): ReactNode {
  const { t } = useTranslation();
  const { busy, logOut } = useLogOut(useNotify());
  return (
    <Button variant="default" leftSection={<LogOutIcon />} loading={busy} onClick={() => void logOut()}>
      {t('act.log_out')}
    </Button>
  );
}
