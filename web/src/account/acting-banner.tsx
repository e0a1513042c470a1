import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStopActing } from '../session/acting';
import type { Me } from '../session/me';
import { Button } from './components/button';
import { useNotify } from './toasts';

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
      <span>{t('acting.banner', { actor: actor.username, user: me.username })}</span>
      <Button busy={busy} onClick={stop}>
        {t('acting.end')}
      </Button>
    </section>
  );
}
