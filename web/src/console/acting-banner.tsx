import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStopActing } from '../session/acting';
import type { Me } from '../session/me';
import { useNotify } from './hooks/use-notify';

interface ActingBannerProps {
  readonly me: Me;
  readonly actor: NonNullable<Me['actor']>;
}

/** Names the user who acts as the user of the page, and leads back. Stays in sight. */
export function ActingBanner({ me, actor }: ActingBannerProps): ReactNode {
  const { t } = useTranslation();
  const { busy, stop } = useStopActing(me, useNotify());
  return (
    <section className="acting" aria-label={t('acting.title')}>
      <Text size="sm">{t('acting.banner', { actor: actor.username, user: me.username })}</Text>
      <Button size="compact-sm" variant="default" loading={busy} onClick={() => void stop()}>
        {t('acting.end')}
      </Button>
    </section>
  );
}
