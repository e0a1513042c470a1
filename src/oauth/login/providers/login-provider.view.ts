import { AuditTarget } from '../../../audit';
import { LoginProviderDto } from './dto/login-provider.dto';
import { LoginProvider } from './login-provider.entity';
import { ProviderPreset } from './preset';
import { resolveProvider } from './resolve-provider';

type Shown = Omit<LoginProvider, 'createdAt' | 'updatedAt' | 'version'>;

/** The audit target of a provider. */
export function targetOf({
  id,
  name,
  organizationId,
}: Pick<LoginProvider, 'id' | 'name' | 'organizationId'>): AuditTarget {
  return { type: 'oauth_provider', id, label: name, organizationId };
}

/** The effective values without the secret, for responses and the audit. */
export function describeProvider(
  row: Shown,
  preset: ProviderPreset,
): Omit<LoginProviderDto, 'callback_url' | 'created_at' | 'updated_at'> {
  const { authorizeUrl, tokenUrl, userinfoUrl, issuer, scopes, mapping, params, pkce, withoutUserinfo } =
    resolveProvider(row, preset);
  return {
    id: row.id,
    name: row.name,
    label: row.label,
    template: row.template,
    client_id: row.clientId,
    client_secret_set: row.clientSecret !== null,
    authorize_url: authorizeUrl,
    token_url: tokenUrl,
    userinfo_url: userinfoUrl,
    without_userinfo: withoutUserinfo,
    issuer,
    scopes: [...scopes],
    mapping: { ...mapping },
    params: { ...params },
    pkce,
    auto_register: row.autoRegister,
    trust_email: row.trustEmail,
    enabled: row.enabled,
    icon: row.icon,
    sort: row.sort,
    ...(row.organizationId !== null && { organization_id: row.organizationId }),
  };
}

export function loginProviderDto(row: LoginProvider, preset: ProviderPreset, callbackUrl: string): LoginProviderDto {
  return {
    ...describeProvider(row, preset),
    callback_url: callbackUrl,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
