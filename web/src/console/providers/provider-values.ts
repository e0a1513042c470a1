import type { components } from '../../api/schema';
import { orNull } from '../hooks/changes';
import type { Provider } from './providers-page';

type Changes = components['schemas']['ChangeLoginProviderDto'];
type NewProvider = components['schemas']['CreateLoginProviderDto'];

const PARAMETER = 'params.';

/** Callback URL to register with the provider, on the origin of this page. */
export const callbackOf = (name: string): string => `${location.origin}/api/oauth/callback/${encodeURIComponent(name)}`;

/** Form values of a new provider. The template names the other fields. */
export type NewProviderValues = Readonly<Record<string, string>> & Readonly<Pick<NewProvider, 'name' | 'label'>>;

/** Builds the request body: `params.x` becomes a member of `params`, and empty values are left to the template. */
export function filledIn(values: NewProviderValues): Omit<NewProvider, 'template'> {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  const params = given.flatMap(([name, value]) =>
    name.startsWith(PARAMETER) ? [[name.slice(PARAMETER.length), value]] : [],
  );
  const own = given.filter(([name]) => !name.startsWith(PARAMETER));
  const { name, label, client_id = '' } = values;
  return {
    name,
    label,
    client_id,
    ...(Object.fromEntries(own) as Readonly<Record<string, string>>),
    ...(params.length > 0 && { params: Object.fromEntries(params) as Record<string, string> }),
  };
}

type Texts = Readonly<
  Record<
    | 'name'
    | 'label'
    | 'client_id'
    | 'client_secret'
    | 'icon'
    | 'authorize_url'
    | 'token_url'
    | 'userinfo_url'
    | 'issuer',
    string
  >
>;

/** A provider during editing. */
export interface ProviderValues
  extends Texts, Pick<Provider, 'sort' | 'params' | 'pkce' | 'trust_email' | 'auto_register' | 'without_userinfo'> {
  readonly scopes: readonly string[];
  readonly mapping: Readonly<Record<string, string>>;
}

/** Editable values of a provider. Discovered addresses are empty. */
export function valuesOf(provider: Provider): ProviderValues {
  const { name, label, client_id, icon, sort, scopes, mapping, params, pkce, trust_email, auto_register } = provider;
  return {
    name,
    label,
    client_id,
    client_secret: '',
    icon: icon ?? '',
    sort,
    authorize_url: provider.authorize_url ?? '',
    token_url: provider.token_url ?? '',
    userinfo_url: provider.userinfo_url ?? '',
    without_userinfo: provider.without_userinfo,
    issuer: provider.issuer ?? '',
    scopes,
    mapping: Object.fromEntries(Object.entries(mapping).map(([claim, path]) => [claim, path ?? ''])),
    params: { ...params },
    pkce,
    trust_email,
    auto_register,
  };
}

const nullsFor = (mapping: Readonly<Record<string, string>>): Record<string, string | null> =>
  Object.fromEntries(Object.entries(mapping).map(([claim, path]) => [claim, orNull(path)]));

/** Converts the form values to the request body. */
export const providerBody = (values: ProviderValues): Required<Omit<Changes, 'enabled'>> => ({
  name: values.name,
  label: values.label,
  client_id: values.client_id,
  client_secret: values.client_secret,
  icon: values.icon,
  sort: values.sort,
  authorize_url: values.authorize_url,
  token_url: values.token_url,
  userinfo_url: values.without_userinfo ? null : values.userinfo_url,
  issuer: values.issuer,
  scopes: [...values.scopes],
  mapping: nullsFor(values.mapping),
  params: values.params,
  pkce: values.pkce,
  trust_email: values.trust_email,
  auto_register: values.auto_register,
});
