import { Button, Card, Group, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api } from '../api';
import type { Line, Tint } from '../parts/chart';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { DataTable } from '../parts/table';
import { numberOf, stepName } from '../parts/time';
import { useFilters } from '../parts/use-filters';
import { SetupReminder } from '../setup/setup-reminder';

type Report = components['schemas']['StatisticsDto'];
type Step = components['schemas']['StatisticsStepDto'];
type Measure = Exclude<keyof Step, 'at'>;

const Chart = lazy(() => import('../parts/chart'));

const ranges = ['day', 'week', 'month', 'quarter'] as const;
type Range = (typeof ranges)[number];

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

const sumOf = (steps: readonly Step[], measure: Measure): number =>
  steps.reduce((sum, step) => sum + (step[measure] ?? 0), 0);

function Figure({ label, value, tint }: { label: string; value: number; tint?: Tint }): ReactNode {
  return (
    <Card withBorder padding="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <p className="figure" data-tint={value > 0 ? tint : undefined}>
        {numberOf(value)}
      </p>
    </Card>
  );
}

function Figures({ steps }: { readonly steps: readonly Step[] }): ReactNode {
  const { t } = useTranslation();
  const sessions = steps.findLast(({ active_sessions }) => active_sessions !== null)?.active_sessions ?? 0;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <Figure label={t('dashboard.logins')} value={sumOf(steps, 'logins')} />
      <Figure label={t('dashboard.failed_logins')} value={sumOf(steps, 'failed_logins')} tint="danger" />
      <Figure label={t('dashboard.sessions_now')} value={sessions} />
      <Figure label={t('dashboard.deliveries')} value={sumOf(steps, 'deliveries')} />
    </SimpleGrid>
  );
}

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
          <Suspense fallback={<div className="chart" />}>
            <Chart label={t('dashboard.chart_of', { title })} times={times} lines={lines} nameTime={nameTime} />
          </Suspense>
        )}
      </Stack>
    </Card>
  );
}

/** Shows statistics of the service. */
export function DashboardPage(): ReactNode {
  const { t } = useTranslation();
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
      <Loaded query={report}>
        {(data) => (
          <>
            <Figures steps={data.items} />
            {charts.map(({ name, shows }) => (
              <ChartCard key={name} name={name} shows={shows} report={data} />
            ))}
          </>
        )}
      </Loaded>
    </Page>
  );
}
