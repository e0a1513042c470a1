import { Button, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { ShowMore } from '../components/show-more';
import { DataTable } from '../components/table';
import { timeOf } from '../../shared/time';
import { useCursorPages } from '../hooks/use-cursor-pages';
import { given, oneOf, useFilters } from '../hooks/use-filters';
import { EventDetails } from './event-details';
import { hasTitle } from './event-types';
import { eventFilters, EventTypeFilter } from './event-type-filter';
import { ParticipantName, type FeedEvent } from './participant-name';
import { useEventTitle } from './use-event-title';

export function EventsPage(): ReactNode {
  const { t } = useTranslation();
  const titleOf = useEventTitle();
  const [filters, setFilter] = useFilters(['types']);
  const [shown, setShown] = useState<FeedEvent>();
  const types = oneOf(eventFilters, filters.types);
  const events = useCursorPages<FeedEvent>(['events', types], (cursor) =>
    api.GET('/api/event/recent', { params: { query: given({ types, cursor }) } }),
  );
  const columns = [
    { name: t('audit.at'), show: ({ at }: FeedEvent) => timeOf(at), unbroken: true },
    {
      name: t('events.event'),
      show: ({ type }: FeedEvent) => (
        <Stack gap={2}>
          {hasTitle(type) && titleOf(type)}
          <code>{type}</code>
        </Stack>
      ),
    },
    { name: t('audit.target'), show: ({ subject }: FeedEvent) => <ParticipantName participant={subject} /> },
    { name: t('audit.actor'), show: ({ actor }: FeedEvent) => <ParticipantName participant={actor} /> },
    {
      name: t('list.actions'),
      show: (event: FeedEvent) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('events.details_of', { event: titleOf(event.type), time: timeOf(event.at) })}
          onClick={() => {
            setShown(event);
          }}
        >
          {t('events.details')}
        </Button>
      ),
    },
  ];
  return (
    <Page wide title={t('nav.events')} lead={t('events.lead')}>
      <EventTypeFilter
        value={types}
        onSet={(filter) => {
          setFilter('types', filter);
        }}
      />
      <Loaded query={events}>
        {(rows) => (
          <Stack>
            <DataTable
              label={t('nav.events')}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              minWidth={920}
              empty={t(events.more ? 'events.none_yet' : 'list.none')}
            />
            <ShowMore more={events.more} align="center" />
          </Stack>
        )}
      </Loaded>
      {shown && (
        <EventDetails
          event={shown}
          onClose={() => {
            setShown(undefined);
          }}
        />
      )}
    </Page>
  );
}
