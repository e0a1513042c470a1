import { Button, Text } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { stopActing } from '../shared/stop-acting';
import { leaveBy } from './leave';
import type { Me } from './me';
import { useNotify } from './parts/use-notify';

/** The page from which the actor began. */
const pageOf = ({ id }: Me): string => `/admin/users/${id}`;

/** Names the user who acts as the user of the page, and leads back. Stays in sight. */
export function ActingBanner({ me }: { readonly me: Me }): ReactNode {
  const { t } = useTranslation();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  if (!me.actor) return null;
  const stop = async (): Promise<boolean> => {
    setBusy(true);
    const isOver = await stopActing();
    setBusy(false);
    if (!isOver) notify.requestError(undefined);
    return isOver;
  };
  return (
    <section className="acting" aria-label={t('acting.title')}>
      <Text size="sm">{t('acting.banner', { actor: me.actor.username, user: me.username })}</Text>
      <Button size="compact-sm" variant="default" loading={busy} onClick={() => void leaveBy(stop, pageOf(me))}>
        {t('acting.end')}
      </Button>
    </section>
  );
}

interface ActingEndedProps {
  readonly me: Me;
  /** Error code of the ended session. Undefined while it lives. */
  readonly code: string | undefined;
}

/** Goes on with the own session after the acting session has ended by itself. */
export function ActingEnded({ me, code }: ActingEndedProps): ReactNode {
  const address = pageOf(me);
  useEffect(() => {
    if (code !== undefined) void leaveBy(stopActing, address);
  }, [code, address]);
  return null;
}
