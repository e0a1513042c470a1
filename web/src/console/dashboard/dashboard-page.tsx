import './dashboard.css';
import { Button, Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api } from '../api';
import { useMay } from '../use-permission';
import { Chart, type Line, type Tint } from '../components/chart';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { DataTable } from '../components/table';
import { numberOf, stepName } from '../../session/time';
import { useFilters } from '../hooks/use-filters';
import { SetupReminder } from '../setup/setup-reminder';
import { FailedLogins } from './failed-logins';
import { Overview, type Range } from './overview';

type Report = components['schemas']['StatisticsDto'];
type Step = components['schemas']['StatisticsStepDto'];
type Measure = Exclude<keyof Step, 'at'>;

const ranges = ['day', 'week', 'month', 'quarter'] as const satisfies readonly Range[];

const REFRESH_MS = 60_000;

interface Shown {
  readonly measure: Measure;
  readonly tint: Tint;
}

const charts: readonly { readonly name: string; readonly shows: readonly Shown[] }[] = [
  {
    name: 'logins_chart',
    shows: [
      { measure: 'logins', tint: 'main' },
      { measure: 'failed_logins', tint: 'danger' },
    ],
  },
  { name: 'sessions_chart', shows: [{ measure: 'active_sessions', tint: 'main' }] },
  {
    name: 'deliveries_chart',
    shows: [
      { measure: 'deliveries', tint: 'main' },
      { measure: 'failed_deliveries', tint: 'danger' },
    ],
  },
];

interface ChartCardProps {
  readonly name: string;
  readonly shows: readonly Shown[];
  readonly report: Report;
}

function ChartCard({ name, shows, report }: ChartCardProps): ReactNode {
  const { t } = useTranslation();
  const [asTable, setAsTable] = useState(false);
  const { items, step_seconds: step } = report;
  const times = useMemo(() => items.map(({ at }) => Date.parse(at) / 1_000), [items]);
  const lines = useMemo<Line[]>(
    () =>
      shows.map(({ measure, tint }) => ({
        name: t(`dashboard.${measure}`),
        tint,
        values: items.map((item) => item[measure]),
      })),
    [items, shows, t],
  );
  const nameTime = useMemo(() => (time: number) => stepName(new Date(time * 1_000), step), [step]);
  const columns = [
    { name: t('dashboard.time'), show: ({ at }: Step) => stepName(new Date(at), step) },
    ...shows.map(({ measure }) => ({
      name: t(`dashboard.${measure}`),
      show: (item: Step) => {
        const value = item[measure];
        return value === null ? '–' : numberOf(value);
      },
    })),
  ];
  const isEmpty = items.every((item) => shows.every(({ measure }) => (item[measure] ?? 0) === 0));
  const title = t(`dashboard.${name}`);
  return (
    <Card withBorder component="section">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {title}
          </Title>
          {!isEmpty && (
            <Button
              size="compact-sm"
              variant="default"
              aria-pressed={asTable}
              aria-label={t('dashboard.as_table_of', { title })}
              onClick={() => {
                setAsTable(!asTable);
              }}
            >
              {t('dashboard.as_table')}
            </Button>
          )}
        </Group>
        {isEmpty && <Text c="dimmed">{t(`dashboard.${name}_empty`)}</Text>}
        {!isEmpty && asTable && (
          <DataTable label={title} columns={columns} rows={[...items].reverse()} rowKey={({ at }) => at} empty="" />
        )}
        {!isEmpty && !asTable && (
          <Chart label={t('dashboard.chart_of', { title })} times={times} lines={lines} nameTime={nameTime} />
        )}
      </Stack>
    </Card>
  );
}

/** Shows statistics of the service. */
export function DashboardPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [filters, setFilter] = useFilters(['range']);
  const range: Range = ranges.find((known) => known === filters.range) ?? 'week';
  const report = $api.useQuery(
    'get',
    '/api/statistics',
    { params: { query: { range } } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Page
      title={t('nav.dashboard')}
      lead={t(range === 'day' ? 'dashboard.lead_hours' : 'dashboard.lead_days')}
      actions={
        <SegmentedControl
          aria-label={t('dashboard.range')}
          value={range}
          data={ranges.map((value) => ({ value, label: t(`dashboard.range_${value}`) }))}
          onChange={(value) => {
            setFilter('range', value === 'week' ? '' : value);
          }}
        />
      }
    >
      <SetupReminder />
      <Overview range={range} />
      <Loaded query={report}>
        {(data) => charts.map(({ name, shows }) => <ChartCard key={name} name={name} shows={shows} report={data} />)}
      </Loaded>
      {may('audit:read') && <FailedLogins range={range} />}
    </Page>
  );
}
