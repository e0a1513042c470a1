import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { components } from '../../api/schema';
import { deviceName } from '../../session/device-name';
import { timeOf } from '../../shared/time';
import { ask } from '../dialogs';
import { Button } from '../components/button';
import { Card, Cards } from '../components/card';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { useSubmit } from '../use-submit';
import { useLoad } from '../use-load';

type Session = components['schemas']['SessionDto'];

interface SessionCardProps {
  readonly session: Session;
  readonly onEnded: () => Promise<void>;
}

function SessionCard({ session, onEnded }: SessionCardProps): ReactNode {
  const { t, i18n } = useTranslation();
  const act = useSubmit();
  const methodKey = `login_methods.${session.login_method}`;
  const method = i18n.exists(methodKey) ? t(methodKey) : session.login_method;
  const end = async (): Promise<void> => {
    const params = { path: { id: session.id } };
    if (await act.run(() => api.DELETE('/api/auth/sessions/{id}', { params }), t('sessions.ended'))) await onEnded();
  };
  const what = deviceName(session, t('sessions.unknown'));
  const began = timeOf(session.created_at);
  const lines = [
    t('sessions.seen', { ip: session.ip, time: timeOf(session.last_seen_at) }),
    session.actor
      ? t('sessions.acting', { actor: session.actor.username, time: began })
      : t('sessions.began', { method, time: began }),
  ];
  return (
    <Card title={what} mark={session.current ? { tone: 'good', text: t('sessions.this') } : undefined} lines={lines}>
      {!session.current && (
        <Button busy={act.busy} label={t('sessions.end_of', { what })} onClick={end}>
          {t('sessions.end')}
        </Button>
      )}
    </Card>
  );
}

export function SessionsPage(): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const sessions = useLoad(() => api.GET('/api/auth/sessions'));
  const endOthers = async (): Promise<void> => {
    const title = t('sessions.end_others');
    if (!(await ask({ title, text: t('sessions.end_others_ask'), confirm: title }))) return;
    if (await act.run(() => api.DELETE('/api/auth/sessions'), t('sessions.ended'))) await sessions.reload();
  };
  const others = (sessions.data?.items.length ?? 0) > 1;
  return (
    <Page
      title={t('nav.sessions')}
      lead={t('sessions.lead')}
      actions={
        others && (
          <Button busy={act.busy} onClick={endOthers}>
            {t('sessions.end_others')}
          </Button>
        )
      }
    >
      <Loaded query={sessions}>
        {({ items }) => (
          <Cards>
            {items.map((session) => (
              <SessionCard key={session.id} session={session} onEnded={sessions.reload} />
            ))}
          </Cards>
        )}
      </Loaded>
    </Page>
  );
}
