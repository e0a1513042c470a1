import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorMessage } from './error-message';
import type { More } from '../hooks/use-cursor-pages';

interface ShowMoreProps {
  readonly more: More | undefined;
  readonly align: 'center' | 'flex-start';
}

/** Button that loads the next page of a long list. After an error it can be pressed again. */
export function ShowMore({ more, align }: ShowMoreProps): ReactNode {
  const { t } = useTranslation();
  return (
    more && (
      <Stack align={align} gap="xs">
        <ErrorMessage error={more.error} />
        <Button variant="default" loading={more.loading} onClick={more.load}>
          {t('list.more')}
        </Button>
      </Stack>
    )
  );
}
