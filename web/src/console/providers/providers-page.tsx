import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { $api } from '../api';
import { useMay } from '../use-permission';
import { Loaded } from '../components/loaded';
import { Mark } from '../../session/mark';
import { Page } from '../components/page';
import { DataTable } from '../components/table';
import { timeOf } from '../../shared/time';

export type Provider = components['schemas']['LoginProviderDto'];
export type Template = components['schemas']['ProviderTemplateDto'];

function ProviderTable({ providers }: { readonly providers: readonly Provider[] }): ReactNode {
  const { t } = useTranslation();
  const templates = $api.useQuery('get', '/api/oauth/template');
  const kindOf = (template: string): string =>
    templates.data?.items.find((known) => known.template === template)?.label ?? template;
  const columns = [
    {
      name: t('providers.provider'),
      show: ({ id, label, name }: Provider) => (
        <Stack gap={0}>
          <Anchor component={Link} to={`/admin/providers/${id}`} underline="always">
            {label}
          </Anchor>
          <Text size="sm" c="dimmed">
            {name}
          </Text>
        </Stack>
      ),
    },
    { name: t('providers.kind'), show: ({ template }: Provider) => kindOf(template) },
    {
      name: t('providers.status'),
      show: (provider: Provider) => (
        <Group gap="xs">
          <Mark tone={provider.enabled ? 'good' : 'plain'}>
            {t(provider.enabled ? 'providers.on' : 'providers.off')}
          </Mark>
          {provider.trust_email && <Mark tone="plain">{t('providers.trusted')}</Mark>}
          {provider.auto_register && <Mark tone="plain">{t('providers.registers')}</Mark>}
        </Group>
      ),
    },
    { name: t('providers.changed'), show: ({ updated_at }: Provider) => timeOf(updated_at) },
  ];
  return (
    <DataTable
      label={t('nav.providers')}
      columns={columns}
      rows={providers}
      rowKey={({ id }) => id}
      empty={t('providers.none')}
    />
  );
}

export function ProvidersPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const providers = $api.useQuery('get', '/api/oauth/provider');
  return (
    <Page
      wide
      title={t('nav.providers')}
      lead={t('providers.lead')}
      actions={
        may('oauth_provider:create') && (
          <Button component={Link} to="/admin/providers/new" leftSection={<Plus />}>
            {t('providers.add')}
          </Button>
        )
      }
    >
      <Loaded query={providers}>{({ items }) => <ProviderTable providers={items} />}</Loaded>
    </Page>
  );
}
