import { Accordion, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useHoldsEverything } from '../use-permission';
import { changesOf } from '../hooks/changes';
import { Form } from '../../session/form';
import { lineError, LinesInput } from '../components/lines-input';
import { SaveRow } from '../components/save-row';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import { WholeNumberInput } from '../components/whole-number-input';
import { ProviderTrust } from './provider-trust';
import { ProviderSecret } from './provider-secret';
import { providerBody, valuesOf, type ProviderValues } from './provider-values';
import type { Provider, Template } from './providers-page';

const ADDRESSES = ['issuer', 'authorize_url', 'token_url', 'userinfo_url'] as const;
const CLAIMS = ['subject', 'email', 'email_verified', 'phone', 'nickname', 'avatar'] as const;
/** Claims that identify the user. Only users who hold every permission may change their mapping. */
const GUARDED: ReadonlySet<string> = new Set(['subject', 'email', 'email_verified']);

interface PartProps {
  readonly values: ProviderValues;
  readonly template: Template;
  readonly errors: Readonly<Record<string, string>>;
  readonly editable: boolean;
  readonly onChange: (change: Partial<ProviderValues>) => void;
}

function Names({
  values,
  template,
  errors,
  editable,
  onChange,
  secretSet,
}: PartProps & { readonly secretSet: boolean }) {
  const { t } = useTranslation();
  const own = (name: string) => template.fields.find((field) => field.name === name);
  const text = (name: 'name' | 'label' | 'client_id' | 'icon', label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      value={values[name]}
      error={errors[name]}
      disabled={!editable}
      autoComplete="off"
      onChange={(event) => {
        onChange({ [name]: event.currentTarget.value });
      }}
    />
  );
  return (
    <>
      {text('label', t('providers.label'), t('providers.label_hint'))}
      {text('name', t('providers.name'), t('providers.rename_hint'))}
      {text('client_id', own('client_id')?.label ?? t('providers.client_id'), own('client_id')?.help ?? '')}
      <ProviderSecret
        template={template.template}
        label={own('client_secret')?.label ?? t('providers.client_secret')}
        description={t('providers.secret_hint')}
        placeholder={t(secretSet ? 'settings.secret_set' : 'settings.secret_unset')}
        value={values.client_secret}
        error={errors['client_secret']}
        disabled={!editable}
        onChange={(client_secret) => {
          onChange({ client_secret });
        }}
      />
      {template.fields
        .filter(({ name }) => name.startsWith('params.'))
        .map(({ name, label, help, default_value }) => {
          const parameter = name.slice('params.'.length);
          return (
            <TextInput
              key={name}
              label={label}
              description={help}
              placeholder={default_value ?? ''}
              value={values.params[parameter] ?? ''}
              error={errors[name]}
              disabled={!editable}
              autoComplete="off"
              onChange={(event) => {
                onChange({ params: { ...values.params, [parameter]: event.currentTarget.value } });
              }}
            />
          );
        })}
      {text('icon', t('providers.icon'), t('providers.icon_hint'))}
      <WholeNumberInput
        name="sort"
        label={t('providers.sort')}
        description={t('providers.sort_hint')}
        value={values.sort}
        error={errors['sort']}
        disabled={!editable}
        onChange={(sort) => {
          onChange({ sort });
        }}
      />
    </>
  );
}

/** Settings that the template fills in and that rarely change. */
function Advanced({ values, template, errors, editable, onChange }: PartProps): ReactNode {
  const { t } = useTranslation();
  const holdsEverything = useHoldsEverything();
  const guarded = !editable || !holdsEverything;
  return (
    <Accordion variant="contained">
      <Accordion.Item value="advanced">
        <Accordion.Control>{t('providers.advanced')}</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            {!holdsEverything && <Text c="dimmed">{t('providers.guarded')}</Text>}
            {ADDRESSES.map((name) => (
              <TextInput
                key={name}
                label={t(`providers.${name}`)}
                description={t('providers.address_hint')}
                value={values[name]}
                error={errors[name]}
                disabled={guarded || (name === 'userinfo_url' && values.without_userinfo)}
                autoComplete="off"
                spellCheck={false}
                className="mono"
                onChange={(event) => {
                  onChange({ [name]: event.currentTarget.value });
                }}
              />
            ))}
            {template.template === 'oidc' && (
              <Switch
                label={t('providers.without_userinfo')}
                description={t('providers.without_userinfo_hint')}
                checked={values.without_userinfo}
                disabled={guarded}
                onChange={(event) => {
                  onChange({ without_userinfo: event.currentTarget.checked, userinfo_url: '' });
                }}
              />
            )}
            <LinesInput
              label={t('providers.scopes')}
              description={t('providers.lines')}
              value={values.scopes}
              error={lineError(errors, 'scopes')}
              disabled={!editable}
              onChange={(scopes) => {
                onChange({ scopes });
              }}
            />
            <Switch
              label={t('providers.pkce')}
              checked={values.pkce}
              disabled={!editable}
              onChange={(event) => {
                onChange({ pkce: event.currentTarget.checked });
              }}
            />
            <Text size="sm" c="dimmed">
              {t('providers.mapping_hint')}
            </Text>
            {CLAIMS.map((claim) => (
              <TextInput
                key={claim}
                label={t(`providers.claim_${claim}`)}
                value={values.mapping[claim] ?? ''}
                error={errors[`mapping.${claim}`]}
                disabled={GUARDED.has(claim) ? guarded : !editable}
                autoComplete="off"
                spellCheck={false}
                className="mono"
                onChange={(event) => {
                  onChange({ mapping: { ...values.mapping, [claim]: event.currentTarget.value } });
                }}
              />
            ))}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

interface ProviderFormProps {
  readonly provider: Provider;
  readonly template: Template;
  readonly editable: boolean;
  readonly onSaved: (provider: Provider) => void;
}

export function ProviderForm({ provider, template, editable, onSaved }: ProviderFormProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const holdsEverything = useHoldsEverything();
  const stored = valuesOf(provider);
  const { values, change, saved } = useEdits(stored);
  const body = changesOf(providerBody(stored), providerBody(values));
  const save = async (): Promise<void> => {
    const options = { params: { path: { id: provider.id } }, body };
    const answer = await act.run(() => api.PATCH('/api/oauth/provider/{id}', options), t('act.saved'));
    if (!answer?.data) return;
    onSaved(answer.data);
    saved(values);
  };
  const part = { values, template, errors: act.fields, editable, onChange: change };
  return (
    <Section title={t('providers.here')}>
      <Form act={act} onSubmit={save}>
        <Stack>
          <Names {...part} secretSet={provider.client_secret_set} />
          <ProviderTrust
            template={template}
            switches={values}
            errors={act.fields}
            disabled={!editable || !holdsEverything}
            onChange={({ trust_email, auto_register }) => {
              change({ trust_email, auto_register });
            }}
          />
          <Advanced {...part} />
          {editable && <SaveRow act={act} body={body} />}
        </Stack>
      </Form>
    </Section>
  );
}
