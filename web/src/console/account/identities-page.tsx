import { Button, Card, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ProviderMark } from '../../shared/provider-mark';
import { $api, api } from '../api';
import { useInfo } from '../info-context';
import { ask } from '../parts/ask';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { timeOf } from '../parts/time';
import { useAct } from '../parts/use-act';
import { queryClient } from '../query-client';

const { queryKey } = $api.queryOptions('get', '/api/auth/identities');

interface Linked {
  readonly id: string;
  readonly label: string;
  readonly subject_hint: string;
  readonly linked_at: string;
}

function IdentityCard({ identity }: { readonly identity: Linked }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const unlink = async (): Promise<void> => {
    const text = t('identities.unlink_ask', { provider: identity.label });
    if (!(await ask({ title: t('identities.unlink'), text, confirm: t('identities.unlink') }))) return;
    const params = { path: { id: identity.id } };
    if (await act.run(() => api.DELETE('/api/auth/identities/{id}', { params }), t('identities.unlinked'))) {
      await queryClient.invalidateQueries({ queryKey });
    }
  };
  return (
    <Card withBorder component="li">
      <Group justify="space-between">
        <div className="wrap">
          <Text fw={600}>{identity.label}</Text>
          <Text size="sm" c="dimmed">
            {t('identities.linked', { subject: identity.subject_hint, time: timeOf(identity.linked_at) })}
          </Text>
        </div>
        <Button variant="default" loading={act.busy} onClick={() => void unlink()}>
          {t('identities.unlink')}
        </Button>
      </Group>
    </Card>
  );
}

function LinkButtons(): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const { oauth_providers: providers } = useInfo();
  const link = async (name: string): Promise<void> => {
    const body = { name, redirect: '/account/identities' };
    const answer = await act.run(() => api.POST('/api/oauth/bind/start', { body }));
    if (answer?.data) location.assign(answer.data.redirect);
  };
  if (providers.length === 0) return <Text c="dimmed">{t('identities.no_providers')}</Text>;
  return (
    <Group>
      {providers.map(({ name, label, template, icon }) => (
        <Button
          key={name}
          variant="default"
          className="long-label"
          leftSection={<ProviderMark template={template} label={label} icon={icon} />}
          loading={act.busy}
          onClick={() => void link(name)}
        >
          {t('identities.link', { provider: label })}
        </Button>
      ))}
    </Group>
  );
}

export function IdentitiesPage(): ReactNode {
  const { t } = useTranslation();
  const identities = $api.useQuery('get', '/api/auth/identities');
  return (
    <Page title={t('nav.identities')} lead={t('identities.lead')}>
      <Loaded query={identities}>
        {({ items }) =>
          items.length === 0 ? (
            <Text>{t('identities.none')}</Text>
          ) : (
            <Stack component="ul" p={0} m={0} className="plain">
              {items.map((identity) => (
                <IdentityCard key={identity.id} identity={identity} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <LinkButtons />
    </Page>
  );
}
