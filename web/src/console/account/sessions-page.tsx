import { Button, Card, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { ask } from '../parts/ask';
import { deviceName } from '../parts/device-name';
import { Loaded } from '../parts/loaded';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { timeOf } from '../parts/time';
import { useAct } from '../parts/use-act';
import { queryClient } from '../query-client';

type Session = components['schemas']['SessionDto'];

const { queryKey } = $api.queryOptions('get', '/api/auth/sessions');

function SessionCard({ session }: { readonly session: Session }): ReactNode {
  const { t, i18n } = useTranslation();
  const act = useAct();
  const methodKey = `login_methods.${session.login_method}`;
  const method = i18n.exists(methodKey) ? t(methodKey) : session.login_method;
  const end = async (): Promise<void> => {
    const params = { path: { id: session.id } };
    if (await act.run(() => api.DELETE('/api/auth/sessions/{id}', { params }), t('sessions.ended'))) {
      await queryClient.invalidateQueries({ queryKey });
    }
  };
  const what = deviceName(session, t('sessions.unknown'));
  return (
    <Card withBorder component="li">
      <Group justify="space-between">
        <div className="wrap">
          <Group gap="xs">
            <Text fw={600}>{what}</Text>
            {session.current && <Mark tone="good">{t('sessions.this')}</Mark>}
          </Group>
          <Text size="sm" c="dimmed">
            {t('sessions.seen', { ip: session.ip, time: timeOf(session.last_seen_at) })}
          </Text>
          <Text size="sm" c="dimmed">
            {session.actor
              ? t('sessions.acting', { actor: session.actor.username, time: timeOf(session.created_at) })
              : t('sessions.began', { method, time: timeOf(session.created_at) })}
          </Text>
        </div>
        {!session.current && (
          <Button
            variant="default"
            loading={act.busy}
            aria-label={t('sessions.end_of', { what })}
            onClick={() => void end()}
          >
            {t('sessions.end')}
          </Button>
        )}
      </Group>
    </Card>
  );
}

export function SessionsPage(): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const sessions = $api.useQuery('get', '/api/auth/sessions');
  const endOthers = async (): Promise<void> => {
    const question = {
      title: t('sessions.end_others'),
      text: t('sessions.end_others_ask'),
      confirm: t('sessions.end_others'),
    };
    if (!(await ask(question))) return;
    if (await act.run(() => api.DELETE('/api/auth/sessions'), t('sessions.ended'))) {
      await queryClient.invalidateQueries({ queryKey });
    }
  };
  const others = (sessions.data?.items.length ?? 0) > 1;
  return (
    <Page
      title={t('nav.sessions')}
      lead={t('sessions.lead')}
      actions={
        others && (
          <Button variant="default" loading={act.busy} onClick={() => void endOthers()}>
            {t('sessions.end_others')}
          </Button>
        )
      }
    >
      <Loaded query={sessions}>
        {({ items }) => (
          <Stack component="ul" p={0} m={0} className="plain">
            {items.map((session) => (
              <SessionCard key={session.id} session={session} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
