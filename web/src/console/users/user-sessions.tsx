import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { deviceName } from '../../session/device-name';
import { Loaded } from '../components/loaded';
import { timeOf } from '../../shared/time';
import { useSubmit } from '../hooks/use-submit';
import { queryClient } from '../query-client';

type Session = components['schemas']['SessionDto'];

const sessionsOf = (id: string) => $api.queryOptions('get', '/api/user/{id}/sessions', { params: { path: { id } } });

interface UserSessionsProps {
  readonly userId: string;
}

/** Lists the sessions of a user, and ends one. */
export function UserSessions({ userId }: UserSessionsProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const whatOf = (session: Session): string => deviceName(session, t('sessions.unknown'));
  const params = { path: { id: userId } };
  const query = $api.useQuery('get', '/api/user/{id}/sessions', { params });
  const endOne = async (sid: string): Promise<void> => {
    const options = { params: { path: { id: userId, sid } } };
    if (await act.run(() => api.DELETE('/api/user/{id}/sessions/{sid}', options), t('sessions.ended'))) {
      await queryClient.invalidateQueries({ queryKey: sessionsOf(userId).queryKey });
    }
  };
  return (
    <Card withBorder component="section">
      <Stack>
        <Title order={2} size="h4">
          {t('nav.sessions')}
        </Title>
        <Loaded query={query}>
          {({ items }) => (
            <>
              {items.length === 0 && <Text c="dimmed">{t('users.no_sessions')}</Text>}
              {items.map((session) => (
                <Group key={session.id} justify="space-between">
                  <Text size="sm" className="wrap">
                    {whatOf(session)} {t('sessions.seen', { ip: session.ip, time: timeOf(session.last_seen_at) })}
                    {session.actor && ` · ${t('users.acted_by', { actor: session.actor.username })}`}
                  </Text>
                  <Button
                    size="compact-sm"
                    variant="default"
                    loading={act.busy}
                    aria-label={t('sessions.end_of', { what: whatOf(session) })}
                    onClick={() => void endOne(session.id)}
                  >
                    {t('sessions.end')}
                  </Button>
                </Group>
              ))}
            </>
          )}
        </Loaded>
      </Stack>
    </Card>
  );
}
