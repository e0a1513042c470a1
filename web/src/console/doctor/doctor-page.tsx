import { Button, Group, List, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api } from '../api';
import { CopyField } from '../components/copy-field';
import { Loaded } from '../components/loaded';
import { Mark, type Tone } from '../../session/mark';
import { Page } from '../components/page';
import { ErrorMessage } from '../components/error-message';
import { Section } from '../components/section';
import { timeOf } from '../../shared/time';

type Report = components['schemas']['DiagnosticsDto'];
type Seen = NonNullable<Report['seen']>;

const TONES: Record<Report['checks'][number]['state'], Tone> = { ok: 'good', warning: 'plain', error: 'bad' };

function Checks({ checks }: { readonly checks: Report['checks'] }): ReactNode {
  const { t } = useTranslation();
  return (
    <List listStyleType="none" spacing="md" className="wrap">
      {checks.map(({ check, state, title, detail }) => (
        <List.Item key={check}>
          <Group gap="xs">
            <Mark tone={TONES[state]}>{t(`doctor.${state}`)}</Mark>
            <Text fw={600}>{title}</Text>
          </Group>
          <Text size="sm">{detail}</Text>
        </List.Item>
      ))}
    </List>
  );
}

type Row = readonly [name: string, value: string, from?: string];

function Facts({ label, rows }: { readonly label: string; readonly rows: readonly Row[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <Table aria-label={label} variant="vertical" className="wrap">
      <Table.Tbody>
        {rows.map(([name, value, from]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td>
              <code>{value}</code> {from !== undefined && <Text size="sm">{t('doctor.from', { from })}</Text>}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function SeenRequest({ seen }: { readonly seen: Seen }): ReactNode {
  const { t } = useTranslation();
  const source = (from: string): string => (from === 'connection' ? t('doctor.connection') : from);
  const rows: Row[] = [
    [t('doctor.origin'), seen.origin],
    [t('doctor.scheme'), seen.scheme, source(seen.scheme_from)],
    [t('doctor.host'), `${seen.host}:${seen.port}`, source(seen.host_from)],
    [t('doctor.client_ip'), seen.client_ip, source(seen.client_ip_from)],
    [t('doctor.peer'), seen.peer],
  ];
  return (
    <Section title={t('doctor.seen')} lead={t('doctor.seen_hint')}>
      <Facts label={t('doctor.seen')} rows={rows} />
    </Section>
  );
}

function Cookies({ cookies }: { readonly cookies: Report['cookies'] }): ReactNode {
  const { t } = useTranslation();
  const { prefix, path, domain, same_site: sameSite, secure, http_only: httpOnly } = cookies;
  const flags = [
    `path=${path}`,
    domain === '' ? '' : `domain=${domain}`,
    `samesite=${sameSite}`,
    secure ? 'secure' : '',
    httpOnly ? 'httponly' : '',
  ].filter((flag) => flag !== '');
  return (
    <Section title={t('doctor.cookies')} lead={t('doctor.cookies_hint')}>
      <code className="wrap">{[`${prefix}_access`, ...flags].join('; ')}</code>
    </Section>
  );
}

function Addresses({ report }: { readonly report: Report }): ReactNode {
  const { t } = useTranslation();
  return (
    <Section title={t('doctor.addresses')} lead={t('doctor.addresses_hint')}>
      <CopyField label={t('doctor.issuer')} value={report.issuer} />
      {report.redirect_uris.map(({ provider, uri }) => (
        <CopyField key={provider} label={t('doctor.callback', { provider })} value={uri} />
      ))}
    </Section>
  );
}

export function DoctorPage(): ReactNode {
  const { t } = useTranslation();
  const report = $api.useQuery('get', '/api/doctor', { params: { query: { browser_origin: location.origin } } });
  return (
    <Page title={t('nav.doctor')} lead={t('doctor.lead')}>
      <Loaded query={report}>
        {(found) => (
          <>
            <Section title={t('doctor.checks')}>
              <ErrorMessage
                error={report.error}
                hint={t('doctor.as_of', { time: timeOf(new Date(report.dataUpdatedAt).toISOString()) })}
              />
              <Checks checks={found.checks} />
              <Group>
                <Button variant="default" loading={report.isFetching} onClick={() => void report.refetch()}>
                  {t('doctor.again')}
                </Button>
              </Group>
            </Section>
            {found.seen && <SeenRequest seen={found.seen} />}
            <Cookies cookies={found.cookies} />
            <Addresses report={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
