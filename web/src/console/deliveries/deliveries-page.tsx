import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { api } from '../api';
import { Loaded } from '../components/loaded';
import { Mark } from '../../session/mark';
import { Page } from '../components/page';
import { DataTable } from '../components/table';
import { timeOf } from '../../shared/time';
import { useFilters } from '../hooks/use-filters';
import { useCursorPages } from '../hooks/use-cursor-pages';
import { deliveryFilterNames, DeliveryFilters, deliveryQuery } from './delivery-filters';

type Delivery = components['schemas']['DeliveryDto'];

export function DeliveriesPage(): ReactNode {
  const { t } = useTranslation();
  const [filters, setFilter] = useFilters(deliveryFilterNames);
  const query = deliveryQuery(filters);
  const deliveries = useCursorPages<Delivery>(['deliveries', query], (cursor) =>
    api.GET('/api/delivery', { params: { query: { ...query, cursor } } }),
  );
  const columns = [
    { name: t('audit.at'), show: (row: Delivery) => timeOf(row.at), unbroken: true },
    { name: t('deliveries.purpose'), show: (row: Delivery) => t(`templates.purpose_${row.purpose}`) },
    { name: t('deliveries.channel'), show: (row: Delivery) => t(`deliveries.${row.channel}`) },
    { name: t('deliveries.target'), show: (row: Delivery) => row.target },
    {
      name: t('deliveries.outcome'),
      show: (row: Delivery) => (
        <Mark tone={row.outcome === 'accepted' ? 'good' : 'bad'}>{t(`deliveries.${row.outcome}`)}</Mark>
      ),
    },
    {
      name: t('deliveries.provider'),
      show: (row: Delivery) => [row.provider, row.provider_code].filter(Boolean).join(' · '),
    },
  ];
  return (
    <Page wide title={t('nav.deliveries')} lead={t('deliveries.lead')}>
      <DeliveryFilters filters={filters} onSet={setFilter} />
      <Loaded query={deliveries}>
        {(rows) => (
          <DataTable
            label={t('nav.deliveries')}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            empty={t('list.none')}
            more={deliveries.more}
          />
        )}
      </Loaded>
    </Page>
  );
}
