import { Anchor, Button, Group } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { CopyField } from '../components/copy-field';
import { Loaded } from '../components/loaded';
import { Mark } from '../../session/mark';
import { Page } from '../components/page';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useGoOn } from '../hooks/use-go-on';
import { useRemoveOnLeave } from '../hooks/use-remove-on-leave';
import { queryClient } from '../query-client';
import { ProviderForm } from './provider-form';
import { ProviderTest } from './provider-test';
import type { Provider, Template } from './providers-page';

const providerOf = (id: string) => $api.queryOptions('get', '/api/oauth/provider/{id}', { params: { path: { id } } });
const { queryKey: allProviders } = $api.queryOptions('get', '/api/oauth/provider');

function show(provider: Provider): void {
  queryClient.setQueryData(providerOf(provider.id).queryKey, provider);
  void queryClient.invalidateQueries({ queryKey: allProviders, exact: true });
}

function Actions({ provider }: { readonly provider: Provider }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const act = useSubmit();
  const goOn = useGoOn();
  const removeOnLeave = useRemoveOnLeave(providerOf(provider.id).queryKey);
  const params = { path: { id: provider.id } };
  const { enabled, label } = provider;
  const toggle = async (): Promise<void> => {
    const title = t(enabled ? 'providers.disable' : 'providers.enable');
    if (enabled && !(await ask({ title, text: t('providers.disable_ask', { label }), confirm: title }))) return;
    const body = { enabled: !enabled };
    const answer = await act.run(() => api.PATCH('/api/oauth/provider/{id}', { params, body }), t('act.saved'));
    if (answer?.data) show(answer.data);
  };
  const remove = async (): Promise<void> => {
    const title = t('providers.delete');
    if (!(await ask({ title, text: t('providers.delete_ask', { label }), confirm: title }))) return;
    if (!(await act.run(() => api.DELETE('/api/oauth/provider/{id}', { params }), t('providers.deleted')))) return;
    await queryClient.invalidateQueries({ queryKey: allProviders, exact: true });
    removeOnLeave();
    await goOn('/admin/providers', { replace: true });
  };
  return (
    <Group>
      {may('oauth_provider:update') && (
        <Button variant="default" loading={act.busy} onClick={() => void toggle()}>
          {t(enabled ? 'providers.disable' : 'providers.enable')}
        </Button>
      )}
      {may('oauth_provider:delete') && (
        <Button
          variant="default"
          className="danger"
          leftSection={<Trash2 />}
          loading={act.busy}
          onClick={() => void remove()}
        >
          {t('providers.delete')}
        </Button>
      )}
    </Group>
  );
}

interface WholeProps {
  readonly provider: Provider;
  readonly template: Template;
}

function Whole({ provider, template }: WholeProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const editable = may('oauth_provider:update');
  return (
    <>
      <Group>
        <Mark tone={provider.enabled ? 'good' : 'plain'}>{t(provider.enabled ? 'providers.on' : 'providers.off')}</Mark>
        <Mark tone="plain">{template.label}</Mark>
      </Group>
      <Actions provider={provider} />
      {provider.organization_id !== undefined && (
        <Anchor component={Link} to={`/admin/organizations/${provider.organization_id}`}>
          {t('providers.show_organization')}
        </Anchor>
      )}
      <Section title={t('providers.there', { provider: template.label })} lead={template.help}>
        <CopyField
          label={t('providers.callback')}
          description={t('providers.callback_hint')}
          value={provider.callback_url}
        />
        {editable && <ProviderTest provider={provider} />}
      </Section>
      <ProviderForm key={provider.id} provider={provider} template={template} editable={editable} onSaved={show} />
    </>
  );
}

export function ProviderPage(): ReactNode {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const query = $api.useQuery('get', '/api/oauth/provider/{id}', { params: { path: { id } } });
  const templates = $api.useQuery('get', '/api/oauth/template');
  return (
    <Page title={query.data?.label ?? t('nav.providers')}>
      <Loaded query={query}>
        {(provider) => (
          <Loaded query={templates}>
            {({ items }) => {
              const template = items.find((known) => known.template === provider.template);
              if (template) return <Whole provider={provider} template={template} />;
              // The host application no longer registers this template: the provider can only be disabled or deleted.
              return <Actions provider={provider} />;
            }}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}
