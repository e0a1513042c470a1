import { Button, Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { api } from '../api';
import { Loaded } from '../parts/loaded';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { DataTable } from '../parts/table';
import { timeOf } from '../parts/time';
import { useAct } from '../parts/use-act';
import { useFilters } from '../parts/use-filters';
import { useStretches } from '../parts/use-stretches';
import { auditFilterNames, AuditFilters, auditQuery } from './audit-filters';

type Event = components['schemas']['AuditEventDto'];

function Change({ event }: { readonly event: Event }): ReactNode {
  const { t } = useTranslation();
  if (!event.before && !event.after) return null;
  const text = JSON.stringify(
    { ...(event.before && { before: event.before }), ...(event.after && { after: event.after }) },
    null,
    2,
  );
  return (
    <details>
      <summary>{t('audit.change')}</summary>
      <Code block>{text}</Code>
    </details>
  );
}

export function AuditPage(): ReactNode {
  const { t } = useTranslation();
  const [filters, setFilter] = useFilters(auditFilterNames);
  const query = auditQuery(filters);
  const act = useAct();
  const events = useStretches<Event>(['audit', query], (cursor) =>
    api.GET('/api/audit', { params: { query: { ...query, cursor } } }),
  );
  const exportAll = async (): Promise<void> => {
    // A plain download renews no session that is about to end, and says nothing of a filter that is wrong: this does.
    const answer = await act.run(() => api.GET('/api/audit', { params: { query } }));
    if (answer) location.assign(`/api/audit/export?${new URLSearchParams(query).toString()}`);
  };
  const columns = [
    { name: t('audit.at'), show: (event: Event) => timeOf(event.at), unbroken: true },
    {
      name: t('audit.action'),
      show: (event: Event) => (
        <Stack gap={2} align="flex-start">
          <code>{event.action}</code>
          {event.outcome !== 'success' && <Mark tone="bad">{t(`audit.${event.outcome}`)}</Mark>}
        </Stack>
      ),
    },
    { name: t('audit.actor'), show: (event: Event) => event.actor?.username ?? '–' },
    {
      name: t('audit.target'),
      show: (event: Event) => (event.target ? `${event.target.type} ${event.target.label ?? event.target.id}` : '–'),
    },
    { name: t('audit.from'), show: (event: Event) => <Text size="sm">{event.ip}</Text> },
    { name: t('audit.change'), show: (event: Event) => <Change event={event} /> },
  ];
  return (
    <Page
      title={t('nav.audit')}
      lead={t('audit.lead')}
      wide
      actions={
        <Button variant="default" loading={act.busy} onClick={() => void exportAll()}>
          {t('audit.export')}
        </Button>
      }
    >
      <AuditFilters filters={filters} onSet={setFilter} />
      <Loaded query={events}>
        {(rows) => (
          <DataTable
            label={t('nav.audit')}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            empty={t('list.none')}
            more={events.more}
          />
        )}
      </Loaded>
    </Page>
  );
}
