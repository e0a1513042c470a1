import { Anchor, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { api } from '../api';
import { Loaded } from '../parts/loaded';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { DataTable } from '../parts/table';
import { timeOf } from '../parts/time';
import { useFilters } from '../parts/use-filters';
import { useCursorPages } from '../parts/use-cursor-pages';
import { AuditChange } from './audit-change';
import { AuditExport } from './audit-export';
import { auditFilterNames, AuditFilters, auditQuery, isByName, knownQuery } from './audit-filters';
import { AuditTarget } from './audit-target';

type Event = components['schemas']['AuditEntryDto'];

export function AuditPage(): ReactNode {
  const { t } = useTranslation();
  const [filters, setFilter] = useFilters(auditFilterNames);
  const query = auditQuery(filters);
  const events = useCursorPages<Event>(['audit', query], async (cursor) => {
    const known = await knownQuery(query);
    if (!known) return { data: { items: [], next_cursor: null } };
    return api.GET('/api/audit', { params: { query: { ...known, cursor } } });
  });
  const columns = [
    { name: t('audit.at'), show: (event: Event) => timeOf(event.at), unbroken: true },
    {
      name: t('audit.action'),
      show: (event: Event) => (
        <Stack gap={2} align="flex-start">
          {event.title}
          <code>{event.action}</code>
          {event.outcome !== 'success' && <Mark tone="bad">{t(`audit.${event.outcome}`)}</Mark>}
        </Stack>
      ),
    },
    {
      name: t('audit.actor'),
      show: ({ actor, on_behalf_of: other }: Event) =>
        actor ? (
          <>
            <Anchor
              component="button"
              inherit
              aria-label={t('audit.only_by', { user: actor.username })}
              onClick={() => {
                setFilter('actor_id', actor.id);
              }}
            >
              {actor.username}
            </Anchor>
            {other && ` ${t('audit.on_behalf', { user: other.username })}`}
          </>
        ) : (
          '–'
        ),
    },
    {
      name: t('audit.target'),
      show: ({ target }: Event) => <AuditTarget target={target} />,
    },
    { name: t('audit.from'), show: (event: Event) => <Text size="sm">{event.ip}</Text> },
    { name: t('audit.change'), show: (event: Event) => <AuditChange event={event} /> },
  ];
  return (
    <Page title={t('nav.audit')} lead={t('audit.lead')} wide actions={<AuditExport query={query} />}>
      <AuditFilters filters={filters} onSet={setFilter} />
      <Loaded query={events}>
        {(rows) => (
          <DataTable
            label={t('nav.audit')}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            minWidth={920}
            empty={t(isByName(query) ? 'audit.none_by_name' : 'list.none')}
            more={events.more}
          />
        )}
      </Loaded>
    </Page>
  );
}
