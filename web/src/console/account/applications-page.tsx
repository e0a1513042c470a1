import { Button, Card, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, api } from '../api';
import { ask } from '../parts/ask';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { timeOf } from '../parts/time';
import { useAct } from '../parts/use-act';
import { queryClient } from '../query-client';

const { queryKey } = $api.queryOptions('get', '/api/oauth/consent');

interface Consent {
  readonly client: { readonly id: string; readonly name: string };
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  readonly granted_at: string;
}

function ConsentCard({ consent }: { readonly consent: Consent }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const { client } = consent;
  const withdraw = async (): Promise<void> => {
    const text = t('applications.withdraw_ask', { client: client.name });
    if (!(await ask({ title: t('applications.withdraw'), text, confirm: t('applications.withdraw') }))) return;
    const params = { path: { client_id: client.id } };
    if (await act.run(() => api.DELETE('/api/oauth/consent/{client_id}', { params }), t('applications.withdrawn'))) {
      await queryClient.invalidateQueries({ queryKey });
    }
  };
  return (
    <Card withBorder component="li">
      <Group justify="space-between">
        <div className="wrap">
          <Text fw={600}>{client.name}</Text>
          <Text size="sm" c="dimmed">
            {t('applications.granted', {
              scopes: consent.scopes.map(({ description }) => description).join(' · '),
              time: timeOf(consent.granted_at),
            })}
          </Text>
        </div>
        <Button variant="default" loading={act.busy} onClick={() => void withdraw()}>
          {t('applications.withdraw')}
        </Button>
      </Group>
    </Card>
  );
}

export function ApplicationsPage(): ReactNode {
  const { t } = useTranslation();
  const consents = $api.useQuery('get', '/api/oauth/consent');
  return (
    <Page title={t('nav.applications')} lead={t('applications.lead')}>
      <Loaded query={consents}>
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed">{t('applications.none')}</Text>
          ) : (
            <Stack component="ul" p={0} m={0} className="plain">
              {items.map((consent) => (
                <ConsentCard key={consent.client.id} consent={consent} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Page>
  );
}
