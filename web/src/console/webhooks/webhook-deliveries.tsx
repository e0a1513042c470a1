import { Button, Code, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useEventTitle } from '../events/use-event-title';
import { useMay } from '../use-permission';
import { FilterSelect } from '../components/filter-select';
import { Loaded } from '../components/loaded';
import { Mark, type Tone } from '../../session/mark';
import { Section } from '../components/section';
import { DataTable } from '../components/table';
import { timeOf } from '../../shared/time';
import { useSubmit } from '../hooks/use-submit';
import { useCursorPages } from '../hooks/use-cursor-pages';
import { given } from '../hooks/use-filters';
import { DeliveryAnswer } from './delivery-answer';
import { deliveriesKey, reloadDeliveries, type Delivery, type Webhook } from './webhook-lists';

type State = Delivery['state'];

const TONES: Readonly<Record<State, Tone>> = { delivered: 'good', pending: 'plain', failed: 'bad' };
const states = Object.keys(TONES) as State[];

function DeliveryState({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { t } = useTranslation();
  const { state, attempts, next_attempt_at: next } = delivery;
  return (
    <Stack gap={2} align="flex-start">
      <Mark tone={TONES[state]}>{t(`webhooks.state_${state}`)}</Mark>
      <Text size="sm">{t('webhooks.attempts', { count: attempts })}</Text>
      {next !== null && attempts > 0 && <Text size="sm">{t('webhooks.next_attempt', { time: timeOf(next) })}</Text>}
    </Stack>
  );
}

function Retry({ id, delivery }: { readonly id: string; readonly delivery: Delivery }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const retry = async (): Promise<void> => {
    const params = { path: { id, delivery_id: delivery.id } };
    const call = () => api.POST('/api/webhook/{id}/deliveries/{delivery_id}/retry', { params });
    if (await act.run(call, t('webhooks.retried'))) await reloadDeliveries(id);
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={t('webhooks.retry_of', { event: delivery.event.type, time: timeOf(delivery.at) })}
      loading={act.busy}
      onClick={() => void retry()}
    >
      {t('webhooks.retry')}
    </Button>
  );
}

/** Lists the deliveries of a webhook, newest first. */
export function WebhookDeliveries({ webhook: { id } }: { readonly webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const titleOf = useEventTitle();
  const [state, setState] = useState<State | ''>('');
  const deliveries = useCursorPages<Delivery>([...deliveriesKey(id), state], (cursor) =>
    api.GET('/api/webhook/{id}/deliveries', { params: { path: { id }, query: given({ state, cursor }) } }),
  );
  const columns = [
    { name: t('audit.at'), show: ({ at }: Delivery) => timeOf(at), unbroken: true },
    {
      name: t('events.event'),
      show: ({ event }: Delivery) => (
        <details>
          <summary>{titleOf(event.type)}</summary>
          <Code block>{JSON.stringify(event, null, 2)}</Code>
        </details>
      ),
    },
    { name: t('clients.status'), show: (row: Delivery) => <DeliveryState delivery={row} /> },
    { name: t('webhooks.answer'), show: (row: Delivery) => <DeliveryAnswer delivery={row} /> },
    ...(may('webhook:update')
      ? [{ name: t('list.actions'), show: (row: Delivery) => <Retry id={id} delivery={row} /> }]
      : []),
  ];
  return (
    <Section title={t('webhooks.deliveries')} lead={t('webhooks.deliveries_lead')}>
      <FilterSelect
        maw={300}
        label={t('clients.status')}
        value={state}
        choices={states.map((value) => ({ value, label: t(`webhooks.state_${value}`) }))}
        onSet={(value) => {
          setState(value as State | '');
        }}
      />
      <Loaded query={deliveries}>
        {(rows) => (
          <DataTable
            label={t('webhooks.deliveries')}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            minWidth={780}
            empty={t(state === 'failed' ? 'webhooks.none_failed' : 'webhooks.no_deliveries')}
            more={deliveries.more}
          />
        )}
      </Loaded>
    </Section>
  );
}
