import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { api } from '../api';
import { Loaded } from '../components/loaded';
import { Mark } from '../../session/mark';
import { Section } from '../components/section';
import { DataTable } from '../components/table';
import { timeOf } from '../../shared/time';
import { AuditTarget } from '../audit/audit-target';

type Event = components['schemas']['AuditEntryDto'];

async function newestBy(userId: string): Promise<Event[]> {
  const { data, error } = await api.GET('/api/audit', { params: { query: { actor_id: userId, cursor: '' } } });
  if (!data) throw error as unknown;
  return data.items;
}

/** What the user did last. The audit log has the rest. */
export function UserActivity({ userId }: { readonly userId: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({ queryKey: ['audit', 'of', userId], queryFn: () => newestBy(userId) });
  const columns = [
    { name: t('audit.at'), show: (event: Event) => timeOf(event.at), unbroken: true },
    {
      name: t('audit.action'),
      show: (event: Event) => (
        <>
          {event.title}
          {event.outcome !== 'success' && <Mark tone="bad">{t('audit.failure')}</Mark>}
        </>
      ),
    },
    {
      name: t('audit.target'),
      show: ({ target }: Event) => <AuditTarget target={target} />,
    },
    { name: t('audit.from'), show: (event: Event) => <Text size="sm">{event.ip}</Text> },
  ];
  return (
    <Section title={t('users.tab_activity')}>
      <Loaded query={query}>
        {(events) => (
          <DataTable
            label={t('users.tab_activity')}
            columns={columns}
            rows={events}
            rowKey={({ id }) => id}
            empty={t('list.none')}
          />
        )}
      </Loaded>
      <Text size="sm">
        <Anchor component={Link} to={`/admin/audit?actor_id=${userId}`} inherit underline="always">
          {t('users.activity_by')}
        </Anchor>
        {' · '}
        <Anchor component={Link} to={`/admin/audit?target_type=user&target_id=${userId}`} inherit underline="always">
          {t('users.activity_about')}
        </Anchor>
      </Text>
    </Section>
  );
}
