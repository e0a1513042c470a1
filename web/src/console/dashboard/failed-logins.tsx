import { Anchor, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { $api } from '../api';
import { useMay } from '../use-permission';
import { Loaded } from '../components/loaded';
import { Section } from '../components/section';
import { DataTable } from '../components/table';
import { numberOf } from '../../session/time';
import { loginsOf, type Range } from './overview';

type Report = components['schemas']['FailedLoginsDto'];
type Account = Report['accounts'][number];
type Address = Report['addresses'][number];

function Tables({ report, range }: { readonly report: Report; readonly range: Range }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const failures = { name: t('dashboard.failed_logins'), show: (row: Account | Address) => numberOf(row.failures) };
  const account = {
    name: t('dashboard.account'),
    show: ({ id, username }: Account) => (
      <>
        <Anchor
          component={Link}
          to={loginsOf(range, 'failure', { target_type: 'user', target_id: id })}
          underline="always"
          inherit
        >
          {username}
        </Anchor>
        {may('user:admin') && (
          <>
            {' · '}
            <Anchor component={Link} to={`/admin/users/${id}`} underline="always" inherit>
              {t('dashboard.user')}
            </Anchor>
          </>
        )}
      </>
    ),
  };
  const address = { name: t('dashboard.address'), show: ({ ip }: Address) => <code>{ip}</code> };
  return (
    <Section
      title={t('dashboard.failing')}
      lead={t(report.is_partial ? 'dashboard.failing_partial' : 'dashboard.failing_lead', { count: report.examined })}
    >
      {report.examined === 0 ? (
        <Text c="dimmed">{t('dashboard.failing_empty')}</Text>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <DataTable
            label={t('dashboard.failing_accounts')}
            columns={[account, failures]}
            rows={report.accounts}
            rowKey={({ id }) => id}
            empty={t('dashboard.failing_unknown')}
            minWidth={280}
          />
          <DataTable
            label={t('dashboard.failing_addresses')}
            columns={[address, failures]}
            rows={report.addresses}
            rowKey={({ ip }) => ip}
            empty={t('dashboard.failing_empty')}
            minWidth={280}
          />
        </SimpleGrid>
      )}
    </Section>
  );
}

/** The accounts and addresses with most failed logins. They name users, so they need `audit:read`. */
export function FailedLogins({ range }: { readonly range: Range }): ReactNode {
  const report = $api.useQuery('get', '/api/statistics/failed-logins', { params: { query: { range } } });
  return <Loaded query={report}>{(data) => <Tables report={data} range={range} />}</Loaded>;
}
