import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ProviderMark } from '../../shared/provider-mark';
import { $api, api } from '../api';
import { useHoldsEverything } from '../use-permission';
import { CopyField } from '../components/copy-field';
import { Form } from '../../session/form';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useFilters } from '../hooks/use-filters';
import { useGoOn } from '../hooks/use-go-on';
import { queryClient } from '../query-client';
import { ProviderTrust } from './provider-trust';
import { ProviderSecret } from './provider-secret';
import { callbackOf, filledIn, type NewProviderValues } from './provider-values';
import type { Template } from './providers-page';

const { queryKey } = $api.queryOptions('get', '/api/oauth/provider');

function Kinds({ templates }: { readonly templates: readonly Template[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <Section title={t('providers.choose')}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {templates.map(({ template, label }) => (
          <Button
            key={template}
            component={Link}
            to={`/admin/providers/new?template=${encodeURIComponent(template)}`}
            variant="default"
            size="md"
            className="long-label"
            leftSection={<ProviderMark template={template} label={label} />}
          >
            {label}
          </Button>
        ))}
      </SimpleGrid>
    </Section>
  );
}

interface TemplateFieldsProps {
  readonly template: Template;
  readonly values: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

/** Fields that the template leaves open, labelled in the provider's terms. */
function TemplateFields({ template, values, errors, onChange }: TemplateFieldsProps): ReactNode {
  return template.fields.map(({ name, label, help, required, secret, default_value }) => {
    const common = { name, label, description: help, required, value: values[name] ?? '', error: errors[name] };
    return secret ? (
      <ProviderSecret
        key={name}
        template={template.template}
        {...common}
        onChange={(value) => {
          onChange(name, value);
        }}
      />
    ) : (
      <TextInput
        key={name}
        {...common}
        autoComplete="off"
        spellCheck={false}
        placeholder={default_value ?? ''}
        onChange={(event) => {
          onChange(name, event.currentTarget.value);
        }}
      />
    );
  });
}

/** Names the organization that the provider will belong to. */
function ForOrganization({ id }: { readonly id: string }): ReactNode {
  const { t } = useTranslation();
  const query = $api.useQuery('get', '/api/organization/{id}', { params: { path: { id } } });
  return (
    <Loaded query={query}>{({ name }) => <Text>{t('providers.of_organization', { organization: name })}</Text>}</Loaded>
  );
}

interface NewProviderProps {
  readonly template: Template;
  /** Id of the organization that the provider is for, or ''. */
  readonly organization: string;
}

function NewProvider({ template, organization }: NewProviderProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const goOn = useGoOn();
  const holdsEverything = useHoldsEverything();
  const [values, setValues] = useState<NewProviderValues>({
    name: template.template,
    label: template.label,
    organization_id: organization,
  });
  const [switches, setSwitches] = useState({ trust_email: false, auto_register: false });
  const set = (name: string, value: string): void => {
    setValues({ ...values, [name]: value });
  };
  const create = async (): Promise<void> => {
    const body = { template: template.template, ...filledIn(values), ...switches };
    const answer = await act.run(() => api.POST('/api/oauth/provider', { body }), t('providers.added'));
    if (!answer?.data) return;
    await queryClient.invalidateQueries({ queryKey });
    await goOn(`/admin/providers/${answer.data.id}`);
  };
  const common = (name: string) => ({
    name,
    value: values[name] ?? '',
    error: act.fields[name],
  });
  return (
    <Form act={act} onSubmit={create}>
      <Stack gap="lg">
        <Section title={t('providers.there', { provider: template.label })} lead={template.help}>
          <TextInput
            label={t('providers.name')}
            description={t('providers.name_hint')}
            required
            autoComplete="off"
            {...common('name')}
            onChange={(event) => {
              set('name', event.currentTarget.value);
            }}
          />
          <CopyField
            label={t('providers.callback')}
            description={t('providers.callback_hint')}
            value={callbackOf(values.name)}
          />
        </Section>
        <Section title={t('providers.here')}>
          <TextInput
            label={t('providers.label')}
            description={t('providers.label_hint')}
            required
            autoComplete="off"
            {...common('label')}
            onChange={(event) => {
              set('label', event.currentTarget.value);
            }}
          />
          <TemplateFields template={template} values={values} errors={act.fields} onChange={set} />
          {organization !== '' && <ForOrganization id={organization} />}
          {holdsEverything && (
            <ProviderTrust template={template} switches={switches} errors={act.fields} onChange={setSwitches} />
          )}
        </Section>
        <Group>
          <Button type="submit" loading={act.busy}>
            {t('providers.add')}
          </Button>
          <Button component={Link} to="/admin/providers/new" variant="default">
            {t('providers.choose_again')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

export function NewProviderPage(): ReactNode {
  const { t } = useTranslation();
  const [{ template: wanted, organization }] = useFilters(['template', 'organization']);
  const templates = $api.useQuery('get', '/api/oauth/template');
  return (
    <Page title={t('providers.add')} lead={t('providers.add_lead')}>
      <Loaded query={templates}>
        {({ items }) => {
          const template = items.find((known) => known.template === wanted);
          return template ? (
            <NewProvider key={wanted} template={template} organization={organization} />
          ) : (
            <Kinds templates={items} />
          );
        }}
      </Loaded>
    </Page>
  );
}
