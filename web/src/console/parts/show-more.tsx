import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Refused } from './refused';
import type { More } from './use-stretches';

interface ShowMoreProps {
  readonly more: More | undefined;
  readonly align: 'center' | 'flex-start';
}

/** The way to the rest of a long list, as long as there is one; a stretch that did not come is offered again. */
export function ShowMore({ more, align }: ShowMoreProps): ReactNode {
  const { t } = useTranslation();
  return (
    more && (
      <Stack align={align} gap="xs">
        <Refused error={more.error} />
        <Button variant="default" loading={more.loading} onClick={more.load}>
          {t('list.more')}
        </Button>
      </Stack>
    )
  );
}
