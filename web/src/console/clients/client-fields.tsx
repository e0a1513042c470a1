import { Checkbox, Group, Loader, Stack, Switch, TextInput } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../use-permission';
import { lineError, LinesInput } from '../components/lines-input';
import type { ClientFieldsProps } from './client-values';

/** In separate chunks, because the pages would exceed their budget. */
const ClientTokens = lazy(async () => ({ default: (await import('./client-tokens')).ClientTokens }));
const OrganizationInput = lazy(async () => ({
  default: (await import('../organizations/organization-input')).OrganizationInput,
}));

const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
/** Scopes about the user's identity. Every other scope is a permission. */
const IDENTITY = ['openid', 'profile', 'email', 'phone', 'offline_access', 'permissions', 'organization'] as const;

const isIdentity = (scope: string): boolean => IDENTITY.some((known) => known === scope);

type TextName = 'name' | 'description' | 'logo' | 'backchannel_logout_uri';

function Scopes({ values, errors, editable, onChange }: ClientFieldsProps): ReactNode {
  const { t } = useTranslation();
  const identity = values.scopes.filter(isIdentity);
  const permissions = values.scopes.filter((scope) => !isIdentity(scope));
  return (
    <>
      <Checkbox.Group
        label={t('clients.scopes')}
        description={t('clients.scopes_hint')}
        value={[...identity]}
        onChange={(scopes) => {
          onChange({ scopes: [...scopes, ...permissions] });
        }}
      >
        <Group mt="xs" gap="lg">
          {IDENTITY.map((scope) => (
            <Checkbox key={scope} value={scope} label={t(`clients.scope_${scope}`)} disabled={!editable} />
          ))}
        </Group>
      </Checkbox.Group>
      <LinesInput
        label={t('clients.permissions')}
        description={t('clients.permissions_hint')}
        value={permissions}
        error={lineError(errors, 'scopes')}
        disabled={!editable}
        onChange={(lines) => {
          onChange({ scopes: [...identity, ...lines] });
        }}
      />
    </>
  );
}

function Addresses({ values, isPublic, errors, editable, onChange }: ClientFieldsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <LinesInput
        label={t('clients.redirect_uris')}
        description={t(isPublic ? 'clients.redirect_uris_hint_public' : 'clients.redirect_uris_hint')}
        value={values.redirect_uris}
        error={lineError(errors, 'redirect_uris')}
        disabled={!editable}
        onChange={(redirect_uris) => {
          onChange({ redirect_uris });
        }}
      />
      <LinesInput
        label={t('clients.post_logout_redirect_uris')}
        description={t('clients.post_logout_redirect_uris_hint')}
        value={values.post_logout_redirect_uris}
        error={lineError(errors, 'post_logout_redirect_uris')}
        disabled={!editable}
        onChange={(post_logout_redirect_uris) => {
          onChange({ post_logout_redirect_uris });
        }}
      />
    </>
  );
}

/** Only a login of users leads back to an address. */
const hasAddresses = ({
  grant_types,
  redirect_uris,
  post_logout_redirect_uris,
}: ClientFieldsProps['values']): boolean =>
  grant_types.includes('authorization_code') || redirect_uris.length + post_logout_redirect_uris.length > 0;

/** Fields that are set at registration and can be changed later. */
export function ClientFields(props: ClientFieldsProps): ReactNode {
  const { values, isPublic, errors, editable, isTied = false, onChange } = props;
  const { t } = useTranslation();
  const may = useMay();
  const text = (name: TextName, hint: boolean): ReactNode => (
    <TextInput
      label={t(`clients.${name}`)}
      {...(hint && { description: t(`clients.${name}_hint`) })}
      name={name}
      required={name === 'name'}
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
    <Stack>
      {text('name', true)}
      {text('description', true)}
      {text('logo', true)}
      {hasAddresses(values) && <Addresses {...props} />}
      <Checkbox.Group
        label={t('clients.grant_types')}
        error={lineError(errors, 'grant_types')}
        value={[...values.grant_types]}
        onChange={(chosen) => {
          onChange({ grant_types: GRANTS.filter((grant) => chosen.includes(grant)) });
        }}
      >
        <Stack mt="xs" gap="xs">
          {GRANTS.filter((grant) => !(isPublic && grant === 'client_credentials')).map((grant) => (
            <Checkbox
              key={grant}
              value={grant}
              label={t(`clients.grant_${grant}`)}
              description={t(`clients.grant_${grant}_hint`)}
              disabled={!editable}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Scopes {...props} />
      {text('backchannel_logout_uri', true)}
      {!isTied && (
        <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
          <OrganizationInput
            label={t('clients.organization_id')}
            description={t('clients.organization_id_hint')}
            value={values.organization_id}
            error={errors['organization_id']}
            disabled={!editable}
            onChange={(organization_id) => {
              onChange({ organization_id });
            }}
          />
        </Suspense>
      )}
      <Suspense>
        <ClientTokens {...props} />
      </Suspense>
      {may('*:*') && (
        <Switch
          label={t('clients.first_party')}
          description={t('clients.first_party_hint')}
          checked={values.first_party}
          disabled={!editable}
          onChange={(event) => {
            onChange({ first_party: event.currentTarget.checked });
          }}
        />
      )}
    </Stack>
  );
}
