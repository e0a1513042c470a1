import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSetup } from './use-setup';

/** Link to the setup until it is finished or dismissed. */
export function SetupReminder(): ReactNode {
  const { t } = useTranslation();
  const { data: setup } = useSetup();
  if (!setup || setup.isFinished) return null;
  return (
    <Alert variant="outline" title={t('setup.title')}>
      <Group justify="space-between">
        {t('setup.reminder')}
        <Button component={Link} to="/admin/setup">
          {t('setup.go_on')}
        </Button>
      </Group>
    </Alert>
  );
}
