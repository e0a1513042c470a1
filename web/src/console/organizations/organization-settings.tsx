import { Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { changesOf, orNull } from '../hooks/changes';
import { Form } from '../../session/form';
import { Loaded } from '../components/loaded';
import { SaveRow } from '../components/save-row';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import { queryClient } from '../query-client';
import { AcceptedLogins } from './accepted-logins';
import type { Organization } from './organization-lists';

type Settings = components['schemas']['OrganizationSettingsDto'];

const texts = ['name', 'logo', 'primary_color', 'terms', 'privacy', 'support'] as const;
type Name = (typeof texts)[number];
type Values = Record<Name, string> & { login_methods: readonly string[] | null };

const COLOUR = /^#[0-9a-f]{6}$/i;

/** Shows the colour, or else that of the service. */
function Swatch({ value, service }: { readonly value: string; readonly service: string }): ReactNode {
  const background = COLOUR.test(value) ? value : service;
  return <span style={{ background, width: 20, height: 20, borderRadius: 4 }} />;
}

const valuesOf = ({ login_methods, ...settings }: Settings): Values => ({
  ...(Object.fromEntries(texts.map((name) => [name, settings[name] ?? ''])) as Record<Name, string>),
  login_methods,
});

/** A cleared text is the service's value. */
function bodyOf({
  login_methods,
  ...changed
}: Partial<Values>): components['schemas']['ChangeOrganizationSettingsDto'] {
  const cleared = Object.entries(changed).map(([name, text]) => [name, orNull(text)] as const);
  return {
    ...Object.fromEntries(cleared),
    ...(login_methods !== undefined && { login_methods: login_methods && [...login_methods] }),
  };
}

interface FormProps {
  readonly organization: Organization;
  readonly settings: Settings;
}

function SettingsForm({ organization, settings }: FormProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const { service } = settings;
  const stored = valuesOf(settings);
  const { values, change, saved } = useEdits(stored);
  const body = bodyOf(changesOf(stored, values));
  const params = { path: { id: organization.id } };
  const save = async (): Promise<void> => {
    const answer = await act.run(() => api.PATCH('/api/organization/{id}/settings', { params, body }), t('act.saved'));
    if (!answer?.data) return;
    const { queryKey } = $api.queryOptions('get', '/api/organization/{id}/settings', { params });
    queryClient.setQueryData(queryKey, answer.data);
    saved(valuesOf(answer.data));
  };
  return (
    <Form act={act} onSubmit={save}>
      <Stack>
        {texts.map((name) => (
          <TextInput
            key={name}
            label={t(`organizations.${name === 'logo' ? name : `look_${name}`}`)}
            placeholder={service[name]}
            value={values[name]}
            error={act.fields[name]}
            autoComplete="off"
            rightSection={name === 'primary_color' && <Swatch value={values[name]} service={service[name]} />}
            onChange={(event) => {
              change({ [name]: event.currentTarget.value });
            }}
          />
        ))}
        <AcceptedLogins
          offered={service.login_methods}
          value={values.login_methods}
          error={act.fields['login_methods']}
          onChange={(methods) => {
            change({ login_methods: methods });
          }}
        />
        <SaveRow act={act} body={body} />
      </Stack>
    </Form>
  );
}

/** What the login pages of the organization show, and which logins it accepts. */
export function OrganizationSettings({ organization }: { readonly organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const query = $api.useQuery('get', '/api/organization/{id}/settings', { params: { path: { id: organization.id } } });
  return (
    <Section title={t('organizations.look')} lead={t('organizations.look_lead')}>
      <Loaded query={query}>{(settings) => <SettingsForm organization={organization} settings={settings} />}</Loaded>
    </Section>
  );
}
