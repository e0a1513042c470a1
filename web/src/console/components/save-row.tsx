import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Submit } from '../hooks/use-submit';

interface SaveRowProps {
  readonly act: Submit;
  /** What would be sent. Nothing can be saved while it is empty. */
  readonly body: object;
}

/** Last row of a form that sends only what has changed. */
export function SaveRow({ act, body }: SaveRowProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Group>
      <Button type="submit" loading={act.busy} disabled={Object.keys(body).length === 0}>
        {t('act.save')}
      </Button>
    </Group>
  );
}
