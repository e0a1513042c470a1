import type { components } from '../../api/schema';
import { orNull } from '../parts/changes';
import type { Provider } from './providers-page';

type Changes = components['schemas']['ChangeLoginProviderDto'];
type NewProvider = components['schemas']['CreateLoginProviderDto'];

const PARAMETER = 'params.';

/** The address that is registered with the provider, as this very page is reached. */
export const callbackOf = (name: string): string => `${location.origin}/api/oauth/callback/${encodeURIComponent(name)}`;

/** What is typed of a new provider: the service names the rest of it, in the template. */
export type NewProviderValues = Readonly<Record<string, string>> & Readonly<Pick<NewProvider, 'name' | 'label'>>;

/** A body of what was typed: `params.x` goes into `params`, and what is empty is the template's. */
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

/** A provider while it is edited. */
export interface ProviderValues
  extends Texts, Pick<Provider, 'sort' | 'params' | 'pkce' | 'trust_email' | 'auto_register'> {
  readonly scopes: readonly string[];
  readonly mapping: Readonly<Record<string, string>>;
}

/** What of a provider can be edited; an address that is discovered is empty. */
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

/** As the service takes it. */
export const providerBody = (values: ProviderValues): Required<Omit<Changes, 'enabled'>> => ({
  name: values.name,
  label: values.label,
  client_id: values.client_id,
  client_secret: values.client_secret,
  icon: values.icon,
  sort: values.sort,
  authorize_url: values.authorize_url,
  token_url: values.token_url,
  userinfo_url: values.userinfo_url,
  issuer: values.issuer,
  scopes: [...values.scopes],
  mapping: nullsFor(values.mapping),
  params: values.params,
  pkce: values.pkce,
  trust_email: values.trust_email,
  auto_register: values.auto_register,
});
