import { Anchor, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { $api } from '../api';
import { useMay } from '../use-permission';
import { Loaded } from '../components/loaded';
import { Section } from '../components/section';
import { timeOf } from '../../shared/time';
import { numberOf, percentOf } from '../../session/time';

type Overview = components['schemas']['OverviewDto'];
type Figure = Overview['users'];
export type Range = 'day' | 'week' | 'month' | 'quarter';

const REFRESH_MS = 60_000;
const DAY_MS = 86_400_000;
const rangeDays: Readonly<Record<Range, number>> = { day: 1, week: 7, month: 30, quarter: 90 };

/** The start of the period for the filter of the audit log, in the browser's time zone. */
export function startOf(range: Range): string {
  const start = new Date(Date.now() - rangeDays[range] * DAY_MS);
  return new Date(start.getTime() - start.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The address of the logins of the period in the audit log. */
export const loginsOf = (
  range: Range,
  outcome: 'success' | 'failure',
  more: Readonly<Record<string, string>> = {},
): string =>
  `/admin/audit?${new URLSearchParams({ action: 'login', outcome, from: startOf(range), ...more }).toString()}`;

function Change({ value, before }: Figure): ReactNode {
  const { t } = useTranslation();
  if (value === null) return t('dashboard.not_counted');
  if (before === null) return t('dashboard.no_former');
  const change = value - before;
  if (change === 0) return t('dashboard.unchanged');
  const sign = change > 0 ? '+' : '−';
  const share = before > 0 ? ` (${sign}${percentOf(Math.abs(change) / before)})` : '';
  return t('dashboard.change', { change: `${sign}${numberOf(Math.abs(change))}${share}` });
}

interface CardProps {
  readonly label: string;
  readonly figure: Figure;
  /** Of the accounts. */
  readonly share?: number | undefined;
  /** The list behind the number. */
  readonly to?: string | false;
}

function FigureCard({ label, figure, share, to = false }: CardProps): ReactNode {
  return (
    <Card withBorder padding="md" component="li">
      {to === false ? (
        <Text size="sm" c="dimmed">
          {label}
        </Text>
      ) : (
        <Anchor component={Link} to={to} size="sm" underline="always">
          {label}
        </Anchor>
      )}
      <p className="figure">
        {figure.value === null ? '–' : numberOf(figure.value)}
        {share !== undefined && (
          <Text span c="dimmed">
            {' '}
            {percentOf(share)}
          </Text>
        )}
      </p>
      <Text size="xs" c="dimmed">
        <Change {...figure} />
      </Text>
    </Card>
  );
}

function Figures({ overview, range }: { readonly overview: Overview; readonly range: Range }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [users, audit] = [may('user:admin'), may('audit:read')];
  const { value: total } = overview.users;
  const shareOf = ({ value }: Figure): number | undefined =>
    total !== null && value !== null && total > 0 ? value / total : undefined;
  return (
    <SimpleGrid component="ul" className="plain" p={0} m={0} cols={{ base: 2, md: 3 }} spacing="sm">
      <FigureCard label={t('dashboard.users')} figure={overview.users} to={users && '/admin/users'} />
      <FigureCard label={t('dashboard.new_users')} figure={overview.new_users} to={users && '/admin/users'} />
      <FigureCard
        label={t('dashboard.active_users')}
        figure={overview.active_users}
        share={shareOf(overview.active_users)}
        to={audit && loginsOf(range, 'success')}
      />
      <FigureCard
        label={t('dashboard.second_factor_users')}
        figure={overview.second_factor_users}
        share={shareOf(overview.second_factor_users)}
        to={users && '/admin/users?has_second_factor=true'}
      />
      <FigureCard label={t('dashboard.logins')} figure={overview.logins} to={audit && loginsOf(range, 'success')} />
      <FigureCard
        label={t('dashboard.failed_logins')}
        figure={overview.failed_logins}
        to={audit && loginsOf(range, 'failure')}
      />
    </SimpleGrid>
  );
}

function Methods({ methods }: Pick<Overview, 'methods'>): ReactNode {
  const { t } = useTranslation();
  const named = methods.map(({ method, logins }) => ({
    method,
    name: t(`dashboard.method_${method}`, { defaultValue: method }),
    logins,
  }));
  const all = methods.reduce((sum, { logins }) => sum + logins, 0);
  return (
    <Section title={t('dashboard.methods')}>
      {all === 0 && <Text c="dimmed">{t('dashboard.methods_empty')}</Text>}
      <Stack component="ul" className="plain" p={0} m={0} gap="xs">
        {named.map(({ method, name, logins }) => (
          <li key={method}>
            <Group justify="space-between" gap="xs">
              <Text size="sm">{name}</Text>
              <Text size="sm" c="dimmed">
                {numberOf(logins)} · {percentOf(logins / all)}
              </Text>
            </Group>
            <progress className="share" value={logins} max={all} aria-label={name} />
          </li>
        ))}
      </Stack>
    </Section>
  );
}

/** The numbers of the period with their change, each with a link to the list behind it. */
export function Overview({ range }: { readonly range: Range }): ReactNode {
  const { t } = useTranslation();
  const overview = $api.useQuery(
    'get',
    '/api/statistics/overview',
    { params: { query: { range } } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Loaded query={overview}>
      {(data) => (
        <>
          <Figures overview={data} range={range} />
          {data.counted_at !== null && (
            <Text size="xs" c="dimmed">
              {t('dashboard.counted_at', { time: timeOf(data.counted_at) })}
            </Text>
          )}
          <Methods methods={data.methods} />
        </>
      )}
    </Loaded>
  );
}
