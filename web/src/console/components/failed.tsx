import { Alert, Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Replaces a page that crashed or could not be loaded. */
export function Failed(): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert color="red" title={t('page.failed')}>
      <Stack align="flex-start">
        {t(navigator.onLine ? 'page.failed_hint' : 'page.unreachable')}
        <Button
          variant="default"
          onClick={() => {
            location.reload();
          }}
        >
          {t('act.reload')}
        </Button>
      </Stack>
    </Alert>
  );
}
