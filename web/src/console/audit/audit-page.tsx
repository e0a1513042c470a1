import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { DataTable } from '../components/table';
import { useFilters } from '../hooks/use-filters';
import { useCursorPages } from '../hooks/use-cursor-pages';
import { auditColumns } from './audit-columns';
import type { AuditEvent } from './audit-event';
import { AuditExport } from './audit-export';
import { auditFilterNames, AuditFilters, auditQuery, isByName, knownQuery } from './audit-filters';

export function AuditPage(): ReactNode {
  const { t } = useTranslation();
  const [filters, setFilter] = useFilters(auditFilterNames);
  const query = auditQuery(filters);
  const events = useCursorPages<AuditEvent>(['audit', query], async (cursor) => {
    const known = await knownQuery(query);
    if (!known) return { data: { items: [], next_cursor: null } };
    return api.GET('/api/audit', { params: { query: { ...known, cursor } } });
  });
  const { at, action, actor, target, change } = auditColumns(t);
  const byActor = actor(({ id }) => {
    setFilter('actor_id', id);
  });
  const from = { name: t('audit.from'), show: (event: AuditEvent) => <Text size="sm">{event.ip}</Text> };
  return (
    <Page title={t('nav.audit')} lead={t('audit.lead')} wide actions={<AuditExport query={query} />}>
      <AuditFilters filters={filters} onSet={setFilter} />
      <Loaded query={events}>
        {(rows) => (
          <DataTable
            label={t('nav.audit')}
            columns={[at, action, byActor, target, from, change]}
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
