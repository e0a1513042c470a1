import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { components } from '../../api/schema';
import { stopActing } from '../../shared/stop-acting';
import { destination, interaction } from '../destination';

const UNAUTHENTICATED = 401;

type Me = components['schemas']['UserInfoWithPermsDto'];

/** The server marks the page of a browser in which a user may act as another. */
const mayAct = (): boolean => document.documentElement.dataset['acting'] !== undefined;

/** The acting session has ended by itself: goes on with the own session, where a login would lead. */
async function goBack(): Promise<void> {
  if (!(await stopActing())) return;
  if (interaction === undefined) location.assign(destination);
  else location.reload();
}

/** Names the user who acts as another in this browser, and leads back. */
export function Acting(): ReactNode {
  const { t } = useTranslation();
  const [me, setMe] = useState<Me>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (!mayAct()) return;
    const load = async (): Promise<void> => {
      const { data, response } = await api.GET('/api/auth/me');
      setMe(data);
      if (response.status === UNAUTHENTICATED) await goBack();
    };
    // Without an answer, the page shows what it shows to anyone.
    load().catch(() => undefined);
  }, []);
  if (!me?.actor) return null;
  const stop = async (): Promise<void> => {
    setBusy(true);
    if (await stopActing()) location.reload();
    else setBusy(false);
  };
  return (
    <section className="acting" aria-label={t('acting.title')}>
      <span>{t('acting.banner', { actor: me.actor.username, user: me.username })}</span>
      <button type="button" className="secondary" disabled={busy} onClick={() => void stop()}>
        {t('acting.end')}
      </button>
    </section>
  );
}
