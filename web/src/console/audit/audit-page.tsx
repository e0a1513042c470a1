import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { DataTable } from '../components/table';
import { useFilters } from '../hooks/use-filters';
import { useCursorPages } from '../hooks/use-cursor-pages';
import type { Person } from '../hooks/find-users';
import { useMay } from '../use-permission';
import { auditColumns } from './audit-columns';
import type { AuditEvent } from './audit-event';
import { AuditExport } from './audit-export';
import {
  auditFilterNames,
  AuditFilters,
  auditQuery,
  isByName,
  knownQuery,
  type Query,
  type ReadQuery,
} from './audit-filters';

interface ChoiceProps {
  readonly people: readonly Person[];
  readonly onChoose: (id: string) => void;
}

/** The users that a name may mean. */
function Choice({ people, onChoose }: ChoiceProps): ReactNode {
  const { t } = useTranslation();
  if (people.length === 0) return <Text c="dimmed">{t('audit.none_by_name')}</Text>;
  return (
    <Stack gap="xs" role="status">
      <Text>{t('audit.many_by_name')}</Text>
      <Stack component="ul" gap={4} p={0} m={0} className="plain">
        {people.map(({ id, username, nickname }) => (
          <li key={id}>
            <Anchor
              component="button"
              onClick={() => {
                onChoose(id);
              }}
            >
              {username}
            </Anchor>{' '}
            <Text span size="sm" c="dimmed">
              {nickname}
            </Text>
          </li>
        ))}
      </Stack>
    </Stack>
  );
}

interface EventsProps {
  readonly query: Query;
  readonly onActor: (id: string) => void;
}

function Events({ query, onActor }: EventsProps): ReactNode {
  const { t } = useTranslation();
  const events = useCursorPages<AuditEvent>(['audit', query], (cursor) =>
    api.GET('/api/audit', { params: { query: { ...query, cursor } } }),
  );
  const { at, action, actor, target, change } = auditColumns(t);
  const byActor = actor(({ id }) => {
    onActor(id);
  });
  const from = { name: t('audit.from'), show: (event: AuditEvent) => <Text size="sm">{event.ip}</Text> };
  return (
    <Loaded query={events}>
      {(rows) => (
        <DataTable
          label={t('nav.audit')}
          columns={[at, action, byActor, target, from, change]}
          rows={rows}
          rowKey={({ id }) => id}
          minWidth={920}
          empty={t('list.none')}
          more={events.more}
        />
      )}
    </Loaded>
  );
}

export function AuditPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [filters, setFilter] = useFilters(auditFilterNames);
  const query = auditQuery(filters);
  const everyStatus = may('user:admin');
  const read = useQuery<ReadQuery>({
    queryKey: ['audit', 'people', query, everyStatus],
    queryFn: () => knownQuery(query, everyStatus),
    ...(!isByName(query) && { initialData: { known: query } }),
  });
  return (
    <Page title={t('nav.audit')} lead={t('audit.lead')} wide actions={<AuditExport query={query} />}>
      <AuditFilters filters={filters} onSet={setFilter} />
      <Loaded query={read}>
        {(found) =>
          found.known ? (
            <Events
              query={found.known}
              onActor={(id) => {
                setFilter('actor_id', id);
              }}
            />
          ) : (
            <Choice
              people={found.people}
              onChoose={(id) => {
                setFilter(found.filter, id);
              }}
            />
          )
        }
      </Loaded>
    </Page>
  );
}
